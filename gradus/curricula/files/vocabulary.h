#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gradus/core/batch.h"

namespace gradus::files {

/// What a text is made of.
enum class Unit {
  kCharacter,  ///< Unicode code points, white space and line ends included
  kWord,       ///< what stands between ASCII white space
};

/// "character" or "word"; throws InputError otherwise.
Unit unit_named(std::string_view name);

/// Calls `take` with each symbol of valid UTF-8 in order, as a view into `text`.
void for_each_symbol(std::string_view text, Unit unit,
                     const std::function<void(std::string_view)>& take);

/// What stands for every symbol outside the vocabulary: always token 0. A symbol of the data that
/// is spelled like it is the same token.
inline constexpr std::string_view kUnknown = "<unk>";

/// Numbers symbols as they are met and counts them: first come, first numbered, kUnknown being 0.
class SymbolCounter {
 public:
  SymbolCounter();

  /// The number of `symbol`, which has now been met once more.
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

/// The tokens of a curriculum: kUnknown, then the most frequent symbols, ties in order of their
/// bytes, `cap` tokens in all at most.
class Vocabulary {
 public:
  /// No tokens.
  Vocabulary() = default;
  /// REQUIRES cap >= 1.
  Vocabulary(const SymbolCounter& counter, int cap);

  int size() const { return static_cast<int>(tokens_.size()); }
  const std::string& text(std::int32_t token) const { return tokens_[token]; }
  /// The token of a counter's number. kNoToken stays what it is.
  std::int32_t token(std::int32_t number) const {
    return number == kNoToken ? kNoToken : token_of_[number];
  }

  /// Distinct symbols that were met, and how often any of them, and how often one that is not in
  /// the vocabulary.
  std::int64_t distinct() const { return distinct_; }
  std::int64_t met() const { return met_; }
  std::int64_t unknown() const { return unknown_; }

 private:
  std::vector<std::string> tokens_;
  std::vector<std::int32_t> token_of_;
  std::int64_t distinct_ = 0;
  std::int64_t met_ = 0;
  std::int64_t unknown_ = 0;
};

}  // namespace gradus::files
