// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/curricula/babi/story.h"

namespace gradus::babi {

/// The input token at the steps that must output an answer word.
inline constexpr std::string_view kPrompt = "-";

/// Splits a sentence into the words that a network reads. Letters A-Z become lower case. `.` and
/// `?` are words. Other punctuation is dropped, except apostrophes and hyphens inside a word. Bytes
/// above 127 count as letters.
std::vector<std::string> words_of(std::string_view sentence);

/// A sorted list of distinct words, including the marks `-`, `.` and `?`. A word's id is its index.
class Vocabulary {
 public:
  /// Adds the marks, sorts the words and removes duplicates.
  explicit Vocabulary(std::vector<std::string> words);

  const std::vector<std::string>& words() const { return words_; }
  int size() const { return static_cast<int>(words_.size()); }
  std::optional<int> find(std::string_view word) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>{}(word);
    }
  };

  std::vector<std::string> words_;
  std::unordered_map<std::string, int, Hash, std::equal_to<>> ids_;
};

/// The 141 words that the generator uses in either variant, without the marks.
std::vector<std::string> generator_words();

/// Adds the words of the story's sentences and answers to `words`.
void collect_words(const Story& story, std::set<std::string, std::less<>>& words);

/// The data shape of stories encoded with `vocabulary`.
DataSpec data_spec(const Vocabulary& vocabulary);

/// Encodes a story as a sequence of words (Graves et al. 2016, and the curriculum paper's section
/// 4.3). After a question there is one step per word of its answer, with `-` as input, the prompt
/// bit set, and that word as the scored target. The answer itself is never an input. Line numbers
/// and supporting facts are left out. Throws InputError naming the word if one is not in the
/// vocabulary.
Sequence encode(const Story& story, const Vocabulary& vocabulary);

}  // namespace gradus::babi
