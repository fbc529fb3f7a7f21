// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/text.h"

#include <algorithm>
#include <cstdio>

#include "gradus/core/error.h"
#include "gradus/files/utf8.h"

namespace gradus {
namespace {

// "U+0009", with the character itself if it is printable.
std::string name_of(char32_t character) {
  char code[16];
  std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(character));
  const bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
  if (control) return code;
  std::string name = "\"";
  append_utf8(name, character);
  return name + "\" (" + code + ")";
}

template <typename Text>
std::string place(std::string_view source, const Text& text, std::size_t position) {
  const auto newlines = std::count(text.begin(), text.begin() + position, '\n');
  return std::string(source) + ", line " + std::to_string(newlines + 1) + ": ";
}

}  // namespace

Alphabet::Alphabet(std::u32string_view text, std::string_view source) {
  std::vector<bool> seen(0x110000);
  for (const char32_t character : text) seen[character] = true;
  for (char32_t character = 0; character < seen.size(); ++character) {
    if (seen[character]) characters_ += character;
  }
  if (characters_.size() > kMaxSize) {
    throw InputError(std::string(source) + ": has " + std::to_string(characters_.size()) +
                     " distinct characters, expected at most " + std::to_string(kMaxSize));
  }
}

std::optional<Symbol> Alphabet::find(char32_t character) const {
  const auto found = std::lower_bound(characters_.begin(), characters_.end(), character);
  if (found == characters_.end() || *found != character) return std::nullopt;
  return static_cast<Symbol>(found - characters_.begin());
}

std::vector<Symbol> Alphabet::encode(std::u32string_view text, std::string_view source) const {
  std::vector<Symbol> symbols;
  symbols.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<Symbol> symbol = find(text[i]);
    if (!symbol) {
      throw InputError(place(source, text, i) + "the character " + name_of(text[i]) +
                       " is not in the corpus's alphabet of " + std::to_string(size()) +
                       " characters");
    }
    symbols.push_back(*symbol);
  }
  return symbols;
}

std::string Alphabet::decode(std::span<const Symbol> symbols) const {
  std::string text;
  for (const Symbol symbol : symbols) append_utf8(text, character(symbol));
  return text;
}

std::u32string decode_utf8(std::string_view bytes, std::string_view source) {
  std::u32string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const std::string_view rest = bytes.substr(i);
    const std::size_t length = code_point_bytes(rest);
    if (length == 0) {
      char byte[8];
      std::snprintf(byte, sizeof byte, "0x%02X", static_cast<unsigned char>(bytes[i]));
      throw InputError(place(source, bytes, i) + "the byte " + byte +
                       " is not valid UTF-8; expected UTF-8 text");
    }
    text += first_code_point(rest);
    i += length;
  }
  return text;
}

}  // namespace gradus
