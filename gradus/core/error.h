// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Thrown if the caller's input is wrong: a setting, a file, a reward. The message names the thing,
/// its value and what was expected. Failures that no input caused are other std::runtime_errors.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The shortest decimal form that parses back to the same number; "nan", "inf" or "-inf" if it is
/// not finite.
std::string to_text(double value);

/// The candidate nearest to `name` by edit distance, or "" if none is close.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// The candidates sorted by edit distance from `name`, nearest first. Ties keep their order.
std::vector<std::string> nearest_first(std::string_view name,
                                       std::span<const std::string> candidates);

/// Throws InputError: `unknown <kind> "<name>"; did you mean "<nearest>"?`. If no candidate is
/// close, the message lists all of them instead.
[[noreturn]] void throw_unknown(std::string_view kind, std::string_view name,
                                std::span<const std::string> candidates);

/// The position of `name` in `known`. If it is not there, throws as throw_unknown() does.
int find_known(std::string_view kind, std::string_view name, std::span<const std::string> known);

/// The entry called `name` of a list whose entries have a member `name`. If there is none, throws
/// as throw_unknown() does.
template <typename Entry>
const Entry& find_entry(std::string_view kind, std::string_view name,
                        const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return entries[find_known(kind, name, names)];
}

}  // namespace gradus
