#pragma once

#include <optional>
#include <string_view>

namespace gradus::babi {

/// Where `text` stops being well-formed UTF-8 (no overlong forms, no surrogates, nothing above
/// U+10FFFF): the offset of the first byte of the ill-formed character.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

}  // namespace gradus::babi
