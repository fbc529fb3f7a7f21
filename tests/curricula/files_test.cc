// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/files.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/curricula/files_fixture.h"

namespace gradus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// 40 different lines, whose input and target are "00" to "39" as characters.
std::string numbered_pairs() {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    const std::string digits = std::to_string(i / 10) + std::to_string(i % 10);
    text += "{\"input\": \"" + digits + "\", \"target\": \"" + digits + "\"}\n";
  }
  return text;
}

std::string long_text(char from, int letters, int length) {
  std::string text;
  for (int i = 0; i < length; ++i) text += static_cast<char>(from + (i * i + i / 7) % letters);
  return text;
}

// The sequences of a batch, each as one string of inputs and targets.
std::set<std::string> contents(const Batch& batch) {
  std::set<std::string> all;
  for (int b = 0; b < batch.sequences; ++b) {
    std::string key;
    for (int t = 0; t < batch.lengths[b]; ++t) {
      const int cell = t * batch.sequences + b;
      key += std::to_string(batch.tokens[cell]) + ">" + std::to_string(batch.targets[cell]) + " ";
    }
    all.insert(key);
  }
  return all;
}

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("pairs.jsonl", numbered_pairs());
    folder_.write("text.txt", long_text('a', 5, 2000));
  }
  FilesSettings settings() const {
    FilesSettings settings;
    settings.path = folder_.path();
    settings.sequence = 20;
    settings.context = 5;
    return settings;
  }
  TemporaryFolder folder_;
};

TEST_F(FilesTest, SharesOneVocabularyAndOneShapeOverAllTasks) {
  const Files files(settings());
  EXPECT_THAT(files.tasks(), ElementsAre("pairs", "text"));
  EXPECT_EQ(files.target(), std::nullopt);
  // Ten digits, five letters, the unknown token.
  EXPECT_EQ(files.data().input, (InputSpec{16, 0, 0}));
  EXPECT_EQ(files.data().output, (OutputSpec{OutputKind::kSoftmax, 16}));
  // 36 of 40 lines. Of the 100 pieces of text some are equal, so their split may differ from 90 to
  // 10.
  EXPECT_EQ(files.parts(0).training.size(), 36u);
  EXPECT_EQ(files.parts(0).held_out.size(), 4u);
  EXPECT_EQ(files.parts(1).training.size() + files.parts(1).held_out.size(), 100u);
  EXPECT_EQ(files.total_sequences(), static_cast<double>(36 + files.parts(1).training.size()));
}

TEST_F(FilesTest, CapsTheVocabularyAndCountsWhatIsUnknown) {
  FilesSettings capped = settings();
  capped.vocabulary = 10;
  const Files files(capped);
  EXPECT_EQ(files.data().output.width, 10);
  EXPECT_EQ(files.vocabulary()[0], "<unk>");
  // The five letters are the most frequent. Then come 0 to 3, in 14 lines each. 4 to 9, in 4 lines
  // each, are unknown, and every line has its digits in both input and target.
  EXPECT_EQ(files.vocabulary()[9], "3");
  Random random(1, Purpose::kSample, 0);
  EXPECT_THAT(files.describe(0, random),
              HasSubstr(std::to_string(6 * 4 * 2) + " of 2160 symbols unknown"));
}

TEST_F(FilesTest, DrawsHeldOutSequencesThatTrainingNeverSees) {
  const Files files(settings());
  for (int task = 0; task < 2; ++task) {
    Random random(1, Purpose::kSample, 0);
    const auto training = contents(files.sample(task, 5000, Split::kTraining, random));
    const auto held_out = contents(files.sample(task, 500, Split::kHeldOut, random));
    EXPECT_LE(held_out.size(), files.parts(task).held_out.size());
    for (const std::string& sequence : held_out) EXPECT_FALSE(training.contains(sequence));
  }
  Random random(1, Purpose::kSample, 1);
  EXPECT_EQ(contents(files.sample(0, 5000, Split::kTraining, random)).size(), 36u);
  EXPECT_EQ(contents(files.sample(0, 500, Split::kHeldOut, random)).size(), 4u);
}

TEST_F(FilesTest, SplitsByTheSplitSeedAndNotByTheTasksAround) {
  const auto held_out = [&](std::int64_t seed) {
    FilesSettings seeded = settings();
    seeded.split_seed = seed;
    return Files(seeded).parts(0).held_out;
  };
  const auto before = held_out(5);
  EXPECT_EQ(held_out(5), before);
  EXPECT_NE(held_out(6), before);
  folder_.write("another.txt", long_text('n', 4, 500));
  FilesSettings seeded = settings();
  seeded.split_seed = 5;
  const Files files(seeded);
  EXPECT_EQ(files.tasks()[1], "pairs");
  EXPECT_EQ(files.parts(1).held_out, before);
}

TEST_F(FilesTest, PadsSequencesOfDifferentLengthLongestFirst) {
  folder_.write("pairs.jsonl",
                "{\"input\": \"abcd\", \"target\": \"d\"}\n{\"input\": \"a\", \"target\": \"b\"}\n"
                "{\"input\": \"ab\", \"target\": \"ba\"}\n");
  const Files files(settings());
  Random random(2, Purpose::kSample, 0);
  const Batch batch = files.sample(0, 64, Split::kTraining, random);
  EXPECT_TRUE(std::is_sorted(batch.lengths.rbegin(), batch.lengths.rend()));
  EXPECT_EQ(batch.cost(), batch.lengths.front());
  EXPECT_LT(batch.lengths.back(), batch.lengths.front());
}

TEST_F(FilesTest, TakesItsTargetFromTheSettingOrTheList) {
  FilesSettings listed = settings();
  listed.path = folder_.write("tasks.toml",
                              "target = \"pairs\"\n[[task]]\npath = \"text.txt\"\n"
                              "[[task]]\npath = \"pairs.jsonl\"\n");
  EXPECT_EQ(Files(listed).target(), 1);
  listed.target = "text";
  EXPECT_EQ(Files(listed).target(), 0);
  listed.target = "pair";
  EXPECT_EQ(input_error([&] { Files files(listed); }),
            "unknown files.target \"pair\"; did you mean \"pairs\"?");
}

TEST_F(FilesTest, SaysWhatAnOutputIs) {
  FilesSettings words = settings();
  const Files files(words);  // pairs, text
  EXPECT_EQ(files.unit(0), "");
  EXPECT_EQ(files.unit(1), "character");
  folder_.write("text.txt",
                "so many words that there is more than one sequence of them all in all");
  words.unit = files::Unit::kWord;
  words.sequence = 4;
  words.context = 1;
  EXPECT_EQ(Files(words).unit(1), "word");
}

TEST_F(FilesTest, DescribesASequenceForAPersonToRead) {
  folder_.write("sort.jsonl",
                "{\"input\": [30, 1, null], \"target\": [1, 30]}\n"
                "{\"input\": [30, 1, null], \"target\": [1, 30]}\n"
                "{\"input\": [2], \"target\": [2]}\n");
  const Files files(settings());
  Random random(1, Purpose::kSample, 0);
  const std::string pair = files.describe(1, random);
  EXPECT_THAT(pair, HasSubstr("sort.jsonl, 2 sequences to train on, 1 held out; vocabulary of"));
  EXPECT_THAT(pair, HasSubstr("\ninput  30 1 \u00b7 \ntarget \u00b7  1 30"));
  const std::string text = files.describe(2, random);
  EXPECT_THAT(text, testing::ContainsRegex("\ncontext \"[a-e]{5}\"\nscored  \"[a-e]{15}\"$"));
}

TEST_F(FilesTest, NamesTheFileOfBadData) {
  const auto message = [&](const std::string& name, const std::string& content) {
    const std::string path = folder_.write(name, content);
    const std::string text = input_error([&] { Files files(settings()); });
    std::filesystem::remove(path);
    return text;
  };
  EXPECT_EQ(message("bad.txt", ""), folder_.file("bad.txt") + ":1: the file is empty");
  EXPECT_EQ(message("bad.jsonl", ""), folder_.file("bad.jsonl") + ":1: the file is empty");
  EXPECT_EQ(message("bad.txt", "ab\nc\xff"), folder_.file("bad.txt") + ":2: not UTF-8: byte 0xff");
  EXPECT_EQ(message("bad.jsonl", "{\"input\": \"a\", \"target\": \"ab\"}"),
            folder_.file("bad.jsonl") +
                ":1: \"target\" has 2 tokens, expected at most 1, the length of \"input\"");
  EXPECT_THAT(message("bad.txt", "short"), HasSubstr("bad.txt:1: 5 characters in the file make "
                                                     "no sequence of 20"));
  EXPECT_THAT(message("bad.txt", std::string(40, 'x')),
              HasSubstr("bad.txt:1: all 2 sequences of the file are the same"));
}

TEST_F(FilesTest, RefusesSettingsOutOfRange) {
  const auto message = [&](auto change) {
    FilesSettings changed = settings();
    return input_error([&] {
      change(changed);
      Files files(changed);
    });
  };
  EXPECT_EQ(message([](FilesSettings& s) { s.sequence = 0; }),
            "files.sequence is 0, expected a whole number from 1 to 1e+06");
  EXPECT_EQ(message([](FilesSettings& s) { s.context = 20; }),
            "files.context is 20, expected less than files.sequence, 20");
  EXPECT_EQ(message([](FilesSettings& s) { s.vocabulary = 1; }),
            "files.vocabulary is 1, expected a whole number from 2 to 1e+07");
  EXPECT_EQ(message([](FilesSettings& s) { s.held_out = 1; }),
            "files.held_out is 1, expected a number above 0 and below 1");
  const auto set_unit = [](FilesSettings& s) {
    for (const Setting& setting : settings_of(s)) {
      if (setting.key == "files.unit") set_json(setting, "byte");
    }
  };
  EXPECT_EQ(message(set_unit), "unknown files.unit \"byte\"; expected one of: character word");
}

}  // namespace
}  // namespace gradus
