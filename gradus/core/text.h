// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace gradus {

/// The number that the whole text is, or nothing if the text is something else or the number does
/// not fit into the type.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// The parts of a text between separators, one more than there are separators; some may be empty.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0, end = 0; end != std::string_view::npos; from = end + 1) {
    end = text.find(separator, from);
    parts.emplace_back(text.substr(from, end - from));
  }
  return parts;
}

/// "1 run", "2 runs".
inline std::string count_text(std::int64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace gradus
