// SPDX-License-Identifier: Apache-2.0
// A short run on each curriculum lowers the held-out loss of every task that it trains on.

#include <fstream>

#include <gtest/gtest.h>

#include "gradus/runs/runner.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

RunSettings small_run(const std::string& curriculum) {
  RunSettings settings;
  settings.curriculum = curriculum;
  settings.network.cells = 32;
  settings.learner.optimiser.learning_rate = 1e-3;
  settings.syllabus.eta = 1e-3;
  settings.steps = 3'000'000;
  settings.evaluation_sequences = 128;
  return settings;
}

// Trains and compares losses before and after, except those of tasks before `first`.
void expect_learning(const RunSettings& settings, int first = 0) {
  Runner runner(settings, 1);
  const int tasks = static_cast<int>(runner.curriculum().tasks().size());
  std::vector<double> before;
  for (int task = 0; task < tasks; ++task) {
    before.push_back(runner.evaluate_task(task, 0).loss_per_output());
  }
  while (!runner.finished()) runner.teach();
  for (int task = first; task < tasks; ++task) {
    EXPECT_LT(runner.evaluate_task(task, 0).loss_per_output(), before[task])
        << settings.curriculum << ", task " << runner.curriculum().tasks()[task];
  }
}

TEST(Learning, LowersTheLossOfEveryTaskOfRepeatCopy) {
  RunSettings settings = small_run("repeat-copy");
  auto& copy = std::get<RepeatCopySettings>(settings.curricula);
  copy.max_length = copy.max_repeats = 3;
  expect_learning(settings);
}

TEST(Learning, LowersTheLossOfEveryTaskOfBabi) {
  RunSettings settings = small_run("babi");
  settings.steps = 8'000'000;  // learning the kind of answer to each question takes a while
  expect_learning(settings);
}

// Skips order 0: its characters are uniform, and a fresh network predicts nearly that.
TEST(Learning, LowersTheLossOfEveryTaskOfNgram) {
  const testing::TemporaryFolder folder;
  std::string text;
  Random random(1, Purpose::kSample, 0);
  const char* words[] = {"the ", "lamb ", "and ", "lion ", "lie ", "down ", "in ", "peace\n"};
  for (int i = 0; i < 5000; ++i) text += words[random.below(8)];
  RunSettings settings = small_run("ngram");
  auto& ngram = std::get<NgramSettings>(settings.curricula);
  ngram.corpus = folder.write("corpus.txt", text);
  ngram.cache = "none";
  ngram.characters = 60'000;
  ngram.max_order = 4;
  expect_learning(settings, 1);
}

TEST(Learning, LowersTheLossOfEveryTaskOfFiles) {
  const testing::TemporaryFolder folder;
  Random random(1, Purpose::kSample, 0);
  std::string counting, brackets, pairs;
  for (int i = 0; i < 5000; ++i) {
    counting += std::to_string(i) + " ";
    brackets += random.coin() ? "()" : random.coin() ? "[]" : "[()]";
    const std::string first = std::to_string(random.below(10));
    const std::string second = std::to_string(random.below(10));
    pairs += R"({"input": [")" + first + R"(", ")" + second + R"(", "-"], "target": [")" + first +
             "\"]}\n";
  }
  folder.write("counting.txt", counting);
  folder.write("brackets.txt", brackets);
  folder.write("pairs.jsonl", pairs);
  RunSettings settings = small_run("files");
  auto& files = std::get<FilesSettings>(settings.curricula);
  files.path = folder.path().string();
  files.sequence = 40;
  files.context = 5;
  expect_learning(settings);
}

}  // namespace
}  // namespace gradus
