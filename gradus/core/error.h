#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// The caller's input is wrong: a setting, a file, a reward. The message names the thing, its value
/// and what was expected. Failures that are nobody's input are other std::runtime_errors.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The shortest decimal form that reads back as the same number; "nan" and "inf" for those.
std::string to_text(double value);

/// The candidate nearest to `name` by edit distance; empty when none is near enough to be meant.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// The candidates by edit distance from `name`; those that are as near stay in order.
std::vector<std::string> nearest_first(std::string_view name,
                                       std::span<const std::string> candidates);

/// Throws InputError: `unknown <kind> "<name>"; did you mean "<nearest>"?`, or the list of valid
/// names where none is near.
[[noreturn]] void throw_unknown(std::string_view kind, std::string_view name,
                                std::span<const std::string> candidates);

}  // namespace gradus
