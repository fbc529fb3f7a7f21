#include "gradus/curricula/babi/utf8.h"

#include <cstdint>

namespace gradus::babi {
namespace {

// Length of the character that starts with `lead`; 0 where none does.
std::size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

bool well_formed(std::string_view character) {
  const std::size_t length = character.size();
  std::uint32_t code = static_cast<unsigned char>(character[0]) & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(character[i]);
    if ((byte & 0xc0u) != 0x80u) return false;
    code = code << 6 | (byte & 0x3fu);
  }
  if (length == 3) return code >= 0x800 && (code < 0xd800 || code > 0xdfff);
  if (length == 4) return code >= 0x10000 && code <= 0x10ffff;
  return true;
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = length_of(static_cast<unsigned char>(text[i]));
    if (length == 0 || i + length > text.size()) return i;
    if (length > 1 && !well_formed(text.substr(i, length))) return i;
    i += length;
  }
  return std::nullopt;
}

}  // namespace gradus::babi
