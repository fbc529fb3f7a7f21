// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// The index of a character in its alphabet.
using Symbol = std::uint16_t;

/// The distinct characters of a text, sorted by code point. A character is a Unicode code point, so
/// every sampled text is valid UTF-8.
class Alphabet {
 public:
  static constexpr std::size_t kMaxSize = 65535;

  /// Takes the distinct characters of `text`. Throws InputError if there are more than kMaxSize;
  /// `source` names the text in the message.
  Alphabet(std::u32string_view text, std::string_view source);

  int size() const { return static_cast<int>(characters_.size()); }
  char32_t character(Symbol symbol) const { return characters_[symbol]; }
  std::optional<Symbol> find(char32_t character) const;

  /// Converts text to symbols. Throws InputError naming `source`, the line and the character if a
  /// character is not in the alphabet.
  std::vector<Symbol> encode(std::u32string_view text, std::string_view source) const;
  /// Converts symbols to UTF-8.
  std::string decode(std::span<const Symbol> symbols) const;

 private:
  std::u32string characters_;
};

/// Decodes strict UTF-8 (no overlong forms, no surrogates). Throws InputError naming `source`, the
/// line and the byte if it is not valid.
std::u32string decode_utf8(std::string_view bytes, std::string_view source);

}  // namespace gradus
