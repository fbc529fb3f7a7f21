#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// Bytes of the code point that starts `text`: 1..4, or 0 where the text is empty or does not start
/// with a valid one (Unicode 15, table 3-7: overlong forms, surrogates and values past U+10FFFF are
/// not).
std::size_t code_point_bytes(std::string_view text);

/// Offset of the first byte that is not UTF-8; npos where there is none.
std::size_t find_invalid_utf8(std::string_view text);

/// The code point that starts `text`, which is valid UTF-8.
char32_t first_code_point(std::string_view text);

void append_utf8(std::string& text, char32_t code_point);

/// Code points of valid UTF-8.
std::size_t count_code_points(std::string_view text);

}  // namespace gradus
