// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/checkpoints.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/files/checksums.h"
#include "gradus/files/file.h"
#include "gradus/runs/safetensors.h"
#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

// One cell, one input, one output; the steps are one of the weights.
std::vector<Tensor> network(std::int64_t steps) {
  return {{"lstm0.input", {1, 4}, std::vector<float>{1, 2, 3, static_cast<float>(steps)}},
          {"lstm0.recurrent", {1, 4}, std::vector<float>{5, 6, 7, 8}},
          {"lstm0.bias", {1, 4}, std::vector<float>{9, 10, 11, 12}},
          {"output.weight", {1, 1}, std::vector<float>{13}},
          {"output.bias", {1, 1}, std::vector<float>{14}}};
}

Checkpoint example(std::int64_t steps) {
  Checkpoint checkpoint;
  checkpoint.steps = steps;
  checkpoint.learner.updates = 7;
  checkpoint.learner.tensors = network(steps);
  checkpoint.learner.tensors.push_back(
      {"optimiser.mean.output.bias", {1, 1}, std::vector<float>{7}});
  checkpoint.state = {{"steps", steps}, {"list", {0.1, 0.2}}};
  checkpoint.data = {{.tokens = 1}, {OutputKind::kSoftmax, 1}};
  checkpoint.vocabulary = {"\u00e9"};
  return checkpoint;
}

Checkpoint with_best(std::int64_t steps, std::int64_t best) {
  Checkpoint checkpoint = example(steps);
  checkpoint.best = std::make_shared<NetworkAt>(NetworkAt{best, network(best)});
  return checkpoint;
}

class CheckpointsTest : public ::testing::Test {
 protected:
  std::optional<Checkpoint> load() {
    said.clear();
    return checkpoints.load([&](const std::string& text) { said.push_back(text); });
  }
  FoundNetwork load_network(const std::string& which) {
    said.clear();
    return checkpoints.load_network(which, [&](const std::string& text) { said.push_back(text); });
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
  for (const char* name :
       {"weights.safetensors", "training.safetensors", "state.json", "SHA256SUMS"}) {
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

TEST_F(CheckpointsTest, OfVariationalLearnersKeepTheirNames) {
  Checkpoint checkpoint = example(3);
  for (Tensor& tensor : checkpoint.learner.tensors) {
    if (!tensor.name.starts_with("optimiser.")) tensor.name = "mean." + tensor.name;
  }
  checkpoint.learner.tensors.insert(checkpoint.learner.tensors.begin() + 5,
                                    {"width.lstm0.input", {1, 4}, std::vector<float>(4, 0.5f)});
  checkpoints.save(checkpoint);
  EXPECT_EQ(load()->learner, checkpoint.learner);
  EXPECT_EQ(load_network("last").network.tensors, network(3));
}

TEST_F(CheckpointsTest, KeepTheBestNetworkBesideTheLastTwo) {
  checkpoints.save(with_best(10, 5));
  checkpoints.save(with_best(20, 5));
  checkpoints.save(with_best(30, 25));
  checkpoints.save(example(40));
  EXPECT_THAT(names(),
              ElementsAre("best-000000000000025", "step-000000000000030", "step-000000000000040"));
  const FoundNetwork best = load_network("best");
  EXPECT_EQ(best.network.tensors, network(25));
  EXPECT_EQ(best.network.vocabulary, example(1).vocabulary);
  EXPECT_EQ(best.network.data, example(1).data);
  EXPECT_EQ(best.steps, 25);
  EXPECT_TRUE(best.is_best);
  EXPECT_EQ(load_network("").steps, 25);
  EXPECT_EQ(load_network("last").steps, 40);
  EXPECT_FALSE(load_network("last").is_best);
}

// A kill may come after the new best was written and before the old one was removed, or before the
// checkpoint that was to follow.
TEST_F(CheckpointsTest, KeepTheNewestBestNetworkAfterAKill) {
  checkpoints.save(with_best(10, 5));
  fs::copy(folder.path("c/best-000000000000005"), folder.path("c/best-000000000000015"));
  EXPECT_EQ(load_network("best").steps, 15);
  checkpoints.tidy(10);
  EXPECT_THAT(names(), ElementsAre("best-000000000000015", "step-000000000000010"));
  checkpoints.tidy(-1);
  EXPECT_THAT(names(), ElementsAre());
}

TEST_F(CheckpointsTest, ThatAreDamagedAreSkippedIfAnotherNetworkMayBeUsed) {
  checkpoints.save(with_best(10, 5));
  checkpoints.save(example(20));
  folder.write("c/best-000000000000005/weights.safetensors", "damaged");
  EXPECT_EQ(load_network("").steps, 20);
  EXPECT_THAT(said, ElementsAre(HasSubstr("best-000000000000005 cannot be used (its weights do not "
                                          "match SHA256SUMS)")));
  EXPECT_THROW(load_network("best"), InputError);
  fs::remove_all(folder.path("c"));
  EXPECT_THAT(refusal_of([&] { load_network("best"); }), HasSubstr("c: has no best checkpoint"));
  EXPECT_THAT(refusal_of([&] { load_network(""); }), HasSubstr("c: has no checkpoint"));
}

// Version 0.2 wrote all tensors into weights.safetensors.
TEST_F(CheckpointsTest, OfVersion02AreResumedButTheirNetworksAreNotUsed) {
  const Checkpoint expected = example(12);
  const std::string weights = to_safetensors(expected.learner.tensors, {{"writer", "gradus"}});
  const nlohmann::json state = {
      {"format", 1}, {"updates", 7}, {"loss_scale", 0.0}, {"run", expected.state}};
  fs::create_directories(folder.path("c/step-000000000000012"));
  folder.write("c/step-000000000000012/weights.safetensors", weights);
  folder.write("c/step-000000000000012/state.json", state.dump(1));
  folder.write("c/step-000000000000012/SHA256SUMS", sha256(weights) + "  weights.safetensors\n" +
                                                        sha256(state.dump(1)) + "  state.json\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->learner, expected.learner);
  EXPECT_EQ(loaded->state, expected.state);
  EXPECT_THAT(refusal_of([&] { load_network(""); }),
              HasSubstr("an earlier version of gradus wrote it: gradus resume reads it"));
}

}  // namespace
}  // namespace gradus
