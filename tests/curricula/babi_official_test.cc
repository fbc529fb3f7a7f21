// SPDX-License-Identifier: Apache-2.0
// Tests on the official files (tasks_1-20_v1-2, en), which are not part of this repository. Skipped
// if they are missing. GRADUS_SHARED names the folder that holds them; the default is `shared`
// beside the source tree.

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "gradus/curricula/babi/babi.h"

namespace gradus {
namespace {

std::filesystem::path official_folder() {
  const char* shared = std::getenv("GRADUS_SHARED");
  const std::filesystem::path root =
      shared != nullptr ? shared : std::filesystem::path(GRADUS_SOURCE_DIR) / ".." / "shared";
  return root / "data" / "babi_official_en";
}

class BabiOfficial : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(official_folder())) {
      GTEST_SKIP() << "no " << official_folder() << "; set GRADUS_SHARED";
    }
  }
};

int questions(const std::vector<babi::Story>& stories) {
  int count = 0;
  for (const babi::Story& story : stories) {
    for (const babi::Line& line : story.lines) count += line.is_question() ? 1 : 0;
  }
  return count;
}

TEST_F(BabiOfficial, HasAThousandQuestionsAFile) {
  const babi::Dataset dataset = babi::read_dataset(official_folder());
  for (int i = 0; i < babi::kTaskCount; ++i) {
    EXPECT_EQ(questions(dataset.training[i]), 1000) << i + 1;
    EXPECT_EQ(questions(dataset.held_out[i]), 1000) << i + 1;
  }
  EXPECT_EQ(dataset.training[0].size(), 200u);
  EXPECT_EQ(dataset.training[17].size(), 198u);
  EXPECT_EQ(dataset.held_out[17].size(), 199u);
  EXPECT_EQ(dataset.training[18].size(), 1000u);
  EXPECT_EQ(dataset.held_out[19].size(), 93u);
}

TEST_F(BabiOfficial, HasThePapersVocabularyOf156WordsAndThreeMarks) {
  const Babi curriculum({.folder = official_folder().string()});
  EXPECT_EQ(curriculum.vocabulary().size(), 156u + 3);
  EXPECT_EQ(curriculum.data().output.width, 159);
  EXPECT_EQ(curriculum.total_sequences(), 13 * 200 + 250 + 1000 * 3 + 125 + 198 + 94);
}

TEST_F(BabiOfficial, TrainsOnTrainFilesAndHoldsTestFilesOut) {
  const Babi curriculum({.folder = official_folder().string()});
  const babi::Vocabulary vocabulary(curriculum.vocabulary());
  const babi::Dataset dataset = babi::read_dataset(official_folder());
  const auto found_in = [&](const std::vector<babi::Story>& stories, const Batch& batch) {
    for (const babi::Story& story : stories) {
      const Sequence sequence = babi::encode(story, vocabulary);
      if (sequence.tokens == batch.tokens) return true;
    }
    return false;
  };
  Random random(1, Purpose::kTrainingBatch, 0);
  for (int i = 0; i < 20; ++i) {
    const Batch training = curriculum.sample(18, 1, Split::kTraining, random);
    EXPECT_TRUE(found_in(dataset.training[18], training));
    const Batch held_out = curriculum.sample(18, 1, Split::kHeldOut, random);
    EXPECT_TRUE(found_in(dataset.held_out[18], held_out));
  }
  const std::string text = curriculum.describe(19, random);
  EXPECT_EQ(babi::read_stories(text, "described").size(), 1u);
}

}  // namespace
}  // namespace gradus
