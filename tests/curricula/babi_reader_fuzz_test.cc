// SPDX-License-Identifier: Apache-2.0
// Feeds damaged files, made by a seeded mutator, to the reader. It must either throw an InputError
// that starts with the file's name, or return stories that can be encoded and that stay the same
// when written and read again. Most useful under the address sanitizer.

#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/encoding.h"
#include "gradus/curricula/babi/reader.h"

namespace gradus::babi {
namespace {

constexpr int kTexts = 5000;

std::size_t position(const std::string& text, Random& random) {
  return random.below(static_cast<std::uint32_t>(text.size() + 1));
}

void erase_some(std::string& text, Random& random) {
  text.erase(position(text, random), random.below(12));
}
void cut_off(std::string& text, Random& random) {
  text.resize(position(text, random));
}
void insert_some(std::string& text, Random& random) {
  static const std::array<std::string, 16> pieces{std::string(1, '\0'),
                                                  "\t",
                                                  "\n",
                                                  "\r",
                                                  " ",
                                                  ",",
                                                  ".",
                                                  "?",
                                                  "\xff",
                                                  "\xc3",
                                                  "1 ",
                                                  "0",
                                                  "-1",
                                                  "99999999999999999999999",
                                                  "2147483648",
                                                  "\xe2\x82\xac"};
  text.insert(position(text, random), one_of(pieces, random));
}
void replace_byte(std::string& text, Random& random) {
  if (!text.empty()) text[random.below(text.size())] = static_cast<char>(random.below(256));
}
void drop_first(std::string& text, char c, Random& random) {
  const std::size_t at = text.find(c, position(text, random));
  if (at != std::string::npos) text.erase(at, 1);
}
void repeat_part(std::string& text, Random& random) {
  const std::string part = text.substr(position(text, random), random.below(80));
  text.insert(position(text, random), part);
}

void mutate(std::string& text, Random& random) {
  switch (random.below(8)) {
    case 0:
      return erase_some(text, random);
    case 1:
      return cut_off(text, random);
    case 2:
      return replace_byte(text, random);
    case 3:
      return drop_first(text, '\t', random);
    case 4:
      return drop_first(text, '\n', random);
    case 5:
      return repeat_part(text, random);
    default:
      return insert_some(text, random);
  }
}

std::string written(const std::vector<Story>& stories) {
  std::string text;
  for (const Story& story : stories) text += to_text(story);
  return text;
}

TEST(BabiReaderFuzz, DamagedFilesAreRefusedOrReadInOrder) {
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < kTexts; ++i) {
    Random random(99, Purpose::kSample, i);
    std::string text;
    for (int story = 0; story < 2; ++story) {
      text += to_text(one_of(all_tasks(), random).generate({}, random));
    }
    const int mutations = static_cast<int>(random.below(5));
    for (int m = 0; m < mutations; ++m) mutate(text, random);
    try {
      const std::vector<Story> stories = read_stories(text, "fuzzed");
      ASSERT_EQ(read_stories(written(stories), "again"), stories) << text;
      std::set<std::string, std::less<>> words;
      for (const Story& story : stories) collect_words(story, words);
      const Vocabulary vocabulary({words.begin(), words.end()});
      std::vector<Sequence> sequences;
      for (const Story& story : stories) sequences.push_back(encode(story, vocabulary));
      ASSERT_NO_THROW(make_batch(sequences, data_spec(vocabulary))) << text;
      ++accepted;
    } catch (const InputError& error) {
      ASSERT_TRUE(std::string(error.what()).starts_with("fuzzed")) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(accepted, kTexts / 5);
  EXPECT_GT(refused, kTexts / 5);
}

}  // namespace
}  // namespace gradus::babi
