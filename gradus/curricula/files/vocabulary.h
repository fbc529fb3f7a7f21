// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gradus/core/batch.h"

namespace gradus::files {

/// The symbols that a text is split into.
enum class Unit {
  kCharacter,  ///< Unicode code points, including white space and line ends
  kWord,       ///< maximal stretches without ASCII white space
};

/// "character" or "word".
const char* name_of(Unit unit);

/// Calls `take` with each symbol of `text` in order, as a view into `text`. REQUIRES valid UTF-8.
void for_each_symbol(std::string_view text, Unit unit,
                     const std::function<void(std::string_view)>& take);

/// The token for every symbol outside the vocabulary: always token 0. A symbol of the data that is
/// spelled the same is also token 0.
inline constexpr std::string_view kUnknown = "<unk>";

/// Numbers symbols in order of first appearance and counts them. kUnknown has number 0.
class SymbolCounter {
 public:
  SymbolCounter();

  /// Counts `symbol` once more and returns its number.
  std::int32_t met(std::string_view symbol);

 private:
  friend class Vocabulary;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::string> symbols_;
  std::vector<std::int64_t> counts_;
};

/// The tokens of a curriculum: kUnknown, then the most frequent symbols, with ties sorted by their
/// bytes. At most `cap` tokens in total.
class Vocabulary {
 public:
  /// An empty vocabulary.
  Vocabulary() = default;
  /// REQUIRES cap >= 1.
  Vocabulary(const SymbolCounter& counter, int cap);
  /// A vocabulary of earlier data, for the symbols that `counter` has met since.
  Vocabulary(std::vector<std::string> tokens, const SymbolCounter& counter);

  int size() const { return static_cast<int>(tokens_.size()); }
  const std::vector<std::string>& tokens() const { return tokens_; }
  const std::string& text(std::int32_t token) const { return tokens_[token]; }
  /// The token of a SymbolCounter's number. kNoToken maps to itself.
  std::int32_t token(std::int32_t number) const {
    return number == kNoToken ? kNoToken : token_of_[number];
  }

  /// met() is the number of all symbols read, and unknown() how many of those are not in the
  /// vocabulary.
  std::int64_t met() const { return met_; }
  std::int64_t unknown() const { return unknown_; }

 private:
  std::vector<std::string> tokens_;
  std::vector<std::int32_t> token_of_;
  std::int64_t met_ = 0;
  std::int64_t unknown_ = 0;
};

}  // namespace gradus::files
