// SPDX-License-Identifier: Apache-2.0
// A seeded mutator for the readers of users' files. For any bytes, a reader must return or throw
// InputError. Also meant to run under the sanitizers.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/core/random.h"
#include "gradus/curricula/files/json_lines.h"
#include "gradus/curricula/files/manifest.h"
#include "gradus/curricula/files/split.h"
#include "gradus/curricula/files/text_file.h"
#include "gradus/curricula/files/text_task.h"

namespace gradus::files {
namespace {

const std::vector<std::string> kPieces = {"\"",
                                          "\\",
                                          "{",
                                          "}",
                                          "[",
                                          "]",
                                          "null",
                                          ":",
                                          ",",
                                          "\n",
                                          "=",
                                          "[[",
                                          "]]",
                                          "\\u0000",
                                          "\\ud800",
                                          "'''",
                                          "\"\"\"",
                                          "1e999",
                                          "-0",
                                          "1_000",
                                          "0x",
                                          "inf",
                                          "true",
                                          "input",
                                          "target",
                                          "task",
                                          "path",
                                          "kind",
                                          "#",
                                          ".",
                                          "\t",
                                          "\r\n",
                                          "\xff",
                                          "\xc0",
                                          "\xed\xa0\x80",
                                          "\xef\xbb\xbf",
                                          "\u00e9",
                                          "\U0001f600",
                                          "1979-05-27",
                                          "07:32:00",
                                          std::string(1, '\0'),
                                          std::string(300, '['),
                                          std::string(300, '{')};

std::size_t place_in(const std::string& text, Random& random) {
  return random.below(static_cast<std::uint32_t>(text.size() + 1));
}

void mutate(std::string& text, Random& random) {
  const std::size_t at = place_in(text, random);
  switch (random.below(5)) {
    case 0:
      text.insert(at, kPieces[random.below(static_cast<std::uint32_t>(kPieces.size()))]);
      break;
    case 1:
      text.erase(at, 1 + random.below(8));
      break;
    case 2:
      text.insert(at, text.substr(place_in(text, random), random.below(30)));
      break;
    case 3:
      text.resize(at);
      break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(random.below(256));
  }
}

// Feeds `rounds` mutations of the seeds to `read` and returns how many it accepted.
template <typename Read>
int fuzz(const std::vector<std::string>& seeds, int rounds, Read read) {
  int accepted = 0;
  for (int round = 0; round < rounds; ++round) {
    Random random(2017, Purpose::kSample, static_cast<std::uint64_t>(round));
    std::string text = seeds[random.below(static_cast<std::uint32_t>(seeds.size()))];
    for (auto left = random.below(6); left > 0; --left) mutate(text, random);
    try {
      read(text);
      ++accepted;
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("fuzzed:")) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "round " << round << ": " << error.what();
    }
  }
  return accepted;
}

constexpr int kRounds = 20000;

TEST(FilesFuzz, JsonLinesEitherReadOrAreRefused) {
  const std::vector<std::string> seeds = {
      "{\"input\": \"abc\", \"target\": \"c\"}\n{\"input\": [1, \"x\", null], \"target\": [2]}\n",
      "{\"target\": [\"\\u00e9\", null], \"input\": \"caf\u00e9\", \"id\": {\"a\": [1.5]}}\r\n\n"
      "{\"input\": [-1], \"target\": [18446744073709551615]}"};
  const int accepted = fuzz(seeds, kRounds, [](const std::string& text) {
    SymbolCounter counter;
    TaskSequences sequences =
        read_json_lines(checked_text(text, "fuzzed"), "fuzzed", Unit::kCharacter, counter);
    sequences.renumber(Vocabulary(counter, 4));
    split_sequences(sequences, 0.1, Random(1, Purpose::kDataSet, 0));
  });
  EXPECT_GT(accepted, kRounds / 10);
  EXPECT_LT(accepted, kRounds);
}

TEST(FilesFuzz, TaskListsEitherReadOrAreRefused) {
  const std::vector<std::string> seeds = {
      "target = \"a\"\n[[task]]\npath = \"a.txt\"\n[[task]]\nname = 'b'\npath = \"x/b\"\nkind = "
      "\"jsonl\"\n",
      "task = [{path = \"\"\"a.txt\"\"\"}, {path = 'b.jsonl', name = \"\\u00e9\"}] # list\n"};
  const int accepted = fuzz(seeds, kRounds, [](const std::string& text) {
    const Manifest manifest = parse_manifest(text, "fuzzed");
    EXPECT_FALSE(manifest.tasks.empty());
  });
  EXPECT_GT(accepted, kRounds / 10);
  EXPECT_LT(accepted, kRounds);
}

TEST(FilesFuzz, TextsEitherReadOrAreRefused) {
  const std::vector<std::string> seeds = {"the cat sat on the mat\nand the dog did not\n",
                                          "na\u00efve caf\u00e9 \U0001f600 \u20ac\n\u00a0x"};
  for (const Unit unit : {Unit::kCharacter, Unit::kWord}) {
    const int accepted = fuzz(seeds, kRounds, [&](const std::string& text) {
      SymbolCounter counter;
      read_text(checked_text(text, "fuzzed"), "fuzzed", {unit, 4, 1}, counter);
    });
    EXPECT_GT(accepted, kRounds / 10);
    EXPECT_LT(accepted, kRounds);
  }
}

}  // namespace
}  // namespace gradus::files
