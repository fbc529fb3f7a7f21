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

/// What stands in the input where an answer word is due.
inline constexpr std::string_view kPrompt = "-";

/// The words of a sentence as a network reads them: lower case (A-Z), `.` and `?` words of their
/// own, all other punctuation but apostrophes and hyphens inside words dropped. Bytes above 127 are
/// letters.
std::vector<std::string> words_of(std::string_view sentence);

/// A sorted list of distinct words, the marks `-`, `.` and `?` among them; a word's id is its
/// place.
class Vocabulary {
 public:
  /// Adds the marks, sorts, and drops repetitions.
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

/// Every word that the generator writes, in either variant, 141, without the marks.
std::vector<std::string> generator_words();

/// Adds the words of texts and answers to `words`.
void collect_words(const Story& story, std::set<std::string, std::less<>>& words);

/// How a network sees stories written in `vocabulary`.
DataSpec data_spec(const Vocabulary& vocabulary);

/// A story as a sequence of words (Graves et al. 2016, and the curriculum paper's section 4.3):
/// after a question comes one step a word of its answer, with `-` as input, the prompt bit set, and
/// that word as the scored target. The answer itself is never an input. Line numbers and supporting
/// facts are left out. Throws InputError that names a word missing from the vocabulary.
Sequence encode(const Story& story, const Vocabulary& vocabulary);

}  // namespace gradus::babi
