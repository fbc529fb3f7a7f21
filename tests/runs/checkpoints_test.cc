// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/checkpoints.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/files/file.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

Checkpoint example(std::int64_t steps) {
  Checkpoint checkpoint;
  checkpoint.steps = steps;
  checkpoint.learner.updates = 7;
  checkpoint.learner.tensors = {{"weight", {2}, std::vector<float>{1, static_cast<float>(steps)}}};
  checkpoint.state = {{"steps", steps}, {"list", {0.1, 0.2}}};
  return checkpoint;
}

class CheckpointsTest : public ::testing::Test {
 protected:
  std::optional<Checkpoint> load() {
    said.clear();
    return checkpoints.load([&](const std::string& text) { said.push_back(text); });
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder.path("c"))) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  testing::TemporaryFolder folder;
  Checkpoints checkpoints{folder.path("c")};
  std::vector<std::string> said;
};

TEST_F(CheckpointsTest, AreReadAsTheyWereWritten) {
  EXPECT_FALSE(load());
  checkpoints.save(example(12));
  const auto loaded = load();
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->steps, 12);
  EXPECT_EQ(loaded->learner, example(12).learner);
  EXPECT_EQ(loaded->state, example(12).state);
  EXPECT_TRUE(said.empty());
}

TEST_F(CheckpointsTest, TheLastTwoAreKeptAndLeftoversGo) {
  for (const std::int64_t steps : {9, 10, 100}) checkpoints.save(example(steps));
  fs::create_directory(folder.path("c/.step-000000000000200.new"));
  fs::create_directory(folder.path("c/.step-000000000000001.old"));
  EXPECT_EQ(load()->steps, 100);
  checkpoints.save(example(200));
  EXPECT_THAT(names(), ElementsAre("step-000000000000100", "step-000000000000200"));
}

TEST_F(CheckpointsTest, OfOtherNamesAreNone) {
  checkpoints.save(example(5));
  fs::create_directory(folder.path("c/step-"));
  fs::create_directory(folder.path("c/step-x1"));
  fs::create_directory(folder.path("c/step-99999999999999999999999999"));
  EXPECT_EQ(load()->steps, 5);
  EXPECT_TRUE(said.empty());
}

// Flips every byte of every file, and truncates the file at every byte.
TEST_F(CheckpointsTest, DamageAnywhereIsFoundAndTheOneBeforeIsUsed) {
  checkpoints.save(example(1));
  checkpoints.save(example(2));
  for (const char* name : {"weights.safetensors", "state.json", "SHA256SUMS"}) {
    const fs::path file = folder.path() / "c/step-000000000000002" / name;
    const std::string whole = read_file(file);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string flipped = whole;
      flipped[i] = static_cast<char>(flipped[i] ^ 1);
      for (const std::string& damaged : {flipped, whole.substr(0, i)}) {
        std::ofstream(file, std::ios::binary) << damaged;
        ASSERT_EQ(load()->steps, 1) << name << ", byte " << i;
        ASSERT_THAT(said, ElementsAre(HasSubstr("step-000000000000002 is damaged")));
      }
    }
    std::ofstream(file, std::ios::binary) << whole;
  }
  EXPECT_EQ(load()->steps, 2);
  checkpoints.tidy(1);
  EXPECT_THAT(names(), ElementsAre("step-000000000000001"));
}

TEST_F(CheckpointsTest, SaysWhichAreDamaged) {
  for (const std::int64_t steps : {1, 2}) checkpoints.save(example(steps));
  for (const char* name : {"step-000000000000001", "step-000000000000002"}) {
    fs::remove(folder.path() / "c" / name / "state.json");
  }
  EXPECT_FALSE(load());
  EXPECT_THAT(said,
              ElementsAre(EndsWith("state.json: cannot be read: No such file or directory); "
                                   "falling back to the one before it"),
                          EndsWith("state.json: cannot be read: No such file or directory)")));
}

}  // namespace
}  // namespace gradus
