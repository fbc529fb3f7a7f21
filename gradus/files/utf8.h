// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// Number of bytes of the code point at the start of `text`: 1..4, or 0 if the text is empty or
/// does not start with a valid code point. Overlong forms, surrogates and values above U+10FFFF are
/// not valid (Unicode 15, table 3-7).
std::size_t code_point_bytes(std::string_view text);

/// Offset of the first invalid sequence, or npos if `text` is valid UTF-8.
std::size_t find_invalid_utf8(std::string_view text);

/// The code point at the start of `text`. REQUIRES text that is valid UTF-8 and not empty.
char32_t first_code_point(std::string_view text);

void append_utf8(std::string& text, char32_t code_point);

/// Number of code points in `text`. REQUIRES valid UTF-8.
std::size_t count_code_points(std::string_view text);

}  // namespace gradus
