// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/babi/encoding.h"

#include <algorithm>

#include "gradus/core/error.h"

namespace gradus::babi {
namespace {

constexpr std::string_view kGeneratorWords =
    "a above afraid after afternoon and antoine apple are bathroom bedroom before below bernhard "
    "bigger blue bored box brian cat cats chest chocolate chocolates color container daniel did "
    "does down dropped e east either emily evening fit following football frog from garden gave "
    "gertrude get give go got grabbed gray green greg hallway he holding how hungry in is jason "
    "jessica john journeyed julius kitchen last left let lily lion longer many mary maybe mice "
    "milk "
    "morning mouse moved n no north not nothing objects of office one or pajamas path pink put "
    "received rectangle red rhino right s sandra she sheep south sphere square suitcase sumit swan "
    "than that the then they thirsty this three tired to took travelled treasure triangle two w "
    "was "
    "went west what where white who why will winona wolf wolves yann yellow yes yesterday zero";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 127 || (byte >= '0' && byte <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

bool is_joint(char c) {
  return c == '\'' || c == '-';
}

// Calls take(word) for every word. The view is only valid during the call.
template <typename Take>
void for_each_word(std::string_view sentence, Take take) {
  std::string word;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const char c = sentence[i];
    const bool inside = !word.empty() && i + 1 < sentence.size() && is_letter(sentence[i + 1]);
    if (is_letter(c) || (is_joint(c) && inside)) {
      word += lower(c);
      continue;
    }
    if (!word.empty()) take(std::string_view(word));
    word.clear();
    if (c == '.' || c == '?') take(sentence.substr(i, 1));
  }
  if (!word.empty()) take(std::string_view(word));
}

int id_of(std::string_view word, const Vocabulary& vocabulary) {
  const std::optional<int> id = vocabulary.find(word);
  if (id) return *id;
  throw InputError("the word \"" + std::string(word) + "\" is not in the vocabulary of " +
                   std::to_string(vocabulary.size()) + " words");
}

std::string lower_case(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

}  // namespace

std::vector<std::string> words_of(std::string_view sentence) {
  std::vector<std::string> words;
  for_each_word(sentence, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

Vocabulary::Vocabulary(std::vector<std::string> words) : words_(std::move(words)) {
  words_.insert(words_.end(), {std::string(kPrompt), ".", "?"});
  std::ranges::sort(words_);
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  for (std::size_t i = 0; i < words_.size(); ++i) ids_.emplace(words_[i], static_cast<int>(i));
}

std::optional<int> Vocabulary::find(std::string_view word) const {
  const auto found = ids_.find(word);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> generator_words() {
  return words_of(kGeneratorWords);
}

void collect_words(const Story& story, std::set<std::string, std::less<>>& words) {
  const auto add = [&](std::string_view word) {
    if (!words.contains(word)) words.emplace(word);
  };
  for (const Line& line : story.lines) {
    for_each_word(line.text, add);
    for (const std::string& word : line.answer) add(lower_case(word));
  }
}

DataSpec data_spec(const Vocabulary& vocabulary) {
  return {.input = {.tokens = vocabulary.size(), .bits = 1, .reals = 0},
          .output = {OutputKind::kSoftmax, vocabulary.size()}};
}

Sequence encode(const Story& story, const Vocabulary& vocabulary) {
  Sequence sequence;
  const auto add = [&](int token, bool prompt, int target) {
    sequence.tokens.push_back(token);
    sequence.bits.push_back(prompt ? 1 : 0);
    sequence.scored.push_back(prompt ? 1 : 0);
    sequence.targets.push_back(static_cast<std::uint32_t>(target));
  };
  const int prompt = id_of(kPrompt, vocabulary);
  for (const Line& line : story.lines) {
    for_each_word(line.text,
                  [&](std::string_view word) { add(id_of(word, vocabulary), false, 0); });
    for (const std::string& word : line.answer) {
      add(prompt, true, id_of(lower_case(word), vocabulary));
    }
  }
  return sequence;
}

}  // namespace gradus::babi
