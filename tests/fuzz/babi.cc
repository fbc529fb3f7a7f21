// SPDX-License-Identifier: Apache-2.0
// Stories in the text format of bAbI. What is read can be written and read again, and encoded.

#include <set>

#include "gradus/curricula/babi/encoding.h"
#include "gradus/curricula/babi/reader.h"
#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(babi)(const std::string& text) {
  const auto stories = accepted([&] { return babi::read_stories(text, "fuzzed"); });
  const auto questions = accepted([&] { return babi::read_questions(text, "fuzzed"); });
  require(!stories || questions, "what has answers can be asked");
  if (!stories) return;
  std::string written;
  std::set<std::string, std::less<>> words;
  for (const babi::Story& story : *stories) {
    written += babi::to_text(story);
    babi::collect_words(story, words);
  }
  require(babi::read_stories(written, "written") == *stories,
          "stories are read as they were written:\n" + written);
  const babi::Vocabulary vocabulary({words.begin(), words.end()});
  std::vector<Sequence> sequences;
  for (const babi::Story& story : *stories) sequences.push_back(babi::encode(story, vocabulary));
  make_batch(sequences, babi::data_spec(vocabulary));
}

}  // namespace gradus::fuzz
