// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/training.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/runs/run_reader.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

RunSettings small_run() {
  RunSettings settings;
  auto& copy = std::get<RepeatCopySettings>(settings.curricula);
  copy.max_length = 2;
  copy.max_repeats = 2;
  settings.network.cells = 8;
  settings.batch = 4;
  settings.steps = 2000;
  settings.evaluation_interval = 300;
  settings.evaluation_sequences = 4;
  return settings;
}

void train_to_the_end(Training& training) {
  while (!training.finished()) training.advance();
}

// An evaluation reports the norm of the last gradient, which a checkpoint does not contain.
TEST(Training, StoppedWhereAnEvaluationIsDueEndsAsIfItHadNotBeenStopped) {
  const testing::TemporaryFolder folder;
  train_to_the_end(*Training::start(small_run(), folder.path() / "straight", {}));
  {
    const auto training = Training::start(small_run(), folder.path() / "stopped", {});
    do {
      training->advance();
    } while (training->runner().steps() < 600 || !training->runner().evaluation_due());
    training->stop();
  }
  train_to_the_end(*Training::resume(folder.path() / "stopped", {}));

  const RunRecord straight = read_run(folder.path() / "straight");
  const RunRecord stopped = read_run(folder.path() / "stopped");
  ASSERT_EQ(stopped.metrics.size(), straight.metrics.size());
  for (std::size_t i = 1; i < stopped.metrics.size(); ++i) {
    EXPECT_EQ(stopped.metrics[i].steps, straight.metrics[i].steps);
    EXPECT_EQ(stopped.metrics[i].gradient_norm, straight.metrics[i].gradient_norm);
    EXPECT_EQ(stopped.metrics[i].target_loss, straight.metrics[i].target_loss);
  }
}

// 4 tasks with 5, 6, 7 and 9 steps per sequence: 2000 steps are 2000 / (4 * 6.75) = 74 batches.
TEST(Training, SaysWhichEtaItChoseAndChoosesTheSameWhenResumed) {
  const testing::TemporaryFolder folder;
  const double eta = automatic_eta(4, 74);
  const std::string note =
      "syllabus.eta is 0.05, chosen automatically for 4 tasks and about 74 batches";
  {
    const auto training = Training::start(small_run(), folder.path(), {});
    EXPECT_EQ(training->runner().eta_note(), note);
    EXPECT_EQ(training->runner().syllabus().policy().settings()["eta"], eta);
    while (training->runner().steps() < 600) training->advance();
    training->stop();
  }
  const auto resumed = Training::resume(folder.path(), {});
  EXPECT_EQ(resumed->runner().syllabus().policy().settings()["eta"], eta);
  EXPECT_GT(resumed->runner().steps(), 0);
}

TEST(Training, ChoosesNoEtaIfOneIsGivenOrNoneIsRead) {
  RunSettings given = small_run();
  given.syllabus.eta = 0.1;
  EXPECT_EQ(Runner(given, 1).eta_note(), "");
  RunSettings uniform = small_run();
  uniform.gain = "uniform";
  EXPECT_EQ(Runner(uniform, 1).eta_note(), "");
  uniform.gain = "pg";
  uniform.policy = "uniform";
  EXPECT_EQ(Runner(uniform, 1).eta_note(), "");
}

TEST(Training, StoppedAfterItsLastBatchIsFinished) {
  const testing::TemporaryFolder folder;
  const auto training = Training::start(small_run(), folder.path(), {});
  while (!training->runner().finished()) training->advance();
  EXPECT_FALSE(training->finished());
  training->stop();
  EXPECT_TRUE(training->finished());
  EXPECT_EQ(read_run(folder.path()).status, "finished");
}

// Task 0 has the floor; the other three share the rest.
TEST(Training, RecordsTheDistributionThatTasksAreDrawnFrom) {
  Runner runner(small_run(), 1);
  Checkpoint checkpoint = runner.save();
  const nlohmann::json floor = {{"task", 0}, {"floor", 0.7}, {"ceiling", 1.0}, {"frozen", false}};
  checkpoint.state["syllabus"]["limits"].push_back(floor);
  runner.restore(checkpoint);
  const Metrics metrics = runner.evaluate();
  const std::vector<double>& policy = runner.task_metrics().policy;
  ASSERT_EQ(policy.size(), 4u);
  EXPECT_EQ(policy[0], 0.7);
  for (int task = 1; task < 4; ++task) EXPECT_NEAR(policy[task], 0.1, 1e-12);
  EXPECT_NEAR(metrics.entropy, -0.7 * std::log(0.7) - 0.3 * std::log(0.1), 1e-12);
}

TEST(Training, DrawsNewHeldOutSequencesAtEveryEvaluation) {
  const Runner runner(small_run(), 1);
  const auto loss = [&](int task, std::int64_t evaluation) {
    return runner.evaluate_task(task, evaluation).total_loss;
  };
  EXPECT_EQ(loss(3, 0), loss(3, 0));
  EXPECT_NE(loss(3, 0), loss(3, 1));
  EXPECT_NE(loss(3, 1), loss(3, 2));
}

// An evaluation of more sequences than one chunk must not overlap with the next evaluation.
TEST(Training, SharesNoHeldOutSequencesBetweenEvaluations) {
  RunSettings settings = small_run();
  settings.evaluation_sequences = 64;
  const Runner small(settings, 1);
  settings.evaluation_sequences = 128;
  const Runner large(settings, 1);
  const double both = small.evaluate_task(3, 2).total_loss + small.evaluate_task(3, 3).total_loss;
  EXPECT_NEAR(large.evaluate_task(3, 1).total_loss, both, 1e-9 * both);
}

TEST(Training, EndsEarlyOnceTheTargetHasStayedBelowItsGoal) {
  const testing::TemporaryFolder folder;
  RunSettings settings = small_run();
  settings.stop.target_loss = 1000;  // every loss is below it, even that at step 0
  settings.stop.after = 700;
  {
    const auto training = Training::start(settings, folder.path(), {});
    while (training->runner().steps() < 400) training->advance();
    training->stop();
  }
  {
    const auto training = Training::resume(folder.path(), {});
    EXPECT_FALSE(training->finished());
    train_to_the_end(*training);
  }
  const RunRecord run = read_run(folder.path());
  EXPECT_EQ(run.status, "finished");
  EXPECT_GE(run.metrics.back().steps, 700);
  EXPECT_LT(run.metrics.back().steps, 800);  // a batch has at most 36 steps
  EXPECT_TRUE(Training::resume(folder.path(), {})->finished());

  RunSettings never = small_run();
  never.stop.target_loss = 1e-6;
  train_to_the_end(*Training::start(never, folder.path() / "never", {}));
  EXPECT_GE(read_run(folder.path() / "never").metrics.back().steps, never.steps);
}

TEST(Training, RefusesAGoalWithoutATarget) {
  RunSettings settings = small_run();
  settings.curriculum = "babi";
  settings.stop.target_loss = 0.1;
  EXPECT_THROW(Runner(settings, 1), InputError);
}

// A text has no right or wrong answers, so it has no error and cannot be completed.
TEST(Training, OfTextsAndAnswersCountsTheErrorsOfAnswersAlone) {
  const testing::TemporaryFolder folder;
  std::string text;
  std::string pairs;
  for (int i = 0; i < 600; ++i) text += std::to_string(i * i) + " ";
  for (int i = 10; i < 90; ++i) {
    pairs += "{\"input\": \"" + std::to_string(i) + "\", \"target\": \"x\"}\n";
  }
  folder.write("squares.txt", text);
  RunSettings settings = small_run();
  settings.curriculum = "files";
  std::get<FilesSettings>(settings.curricula).path = folder.path().string();
  settings.steps = 1;
  EXPECT_EQ(Runner(settings, 1).warnings().size(), 1u);  // that there is only one task
  Metrics metrics = Runner(settings, 1).evaluate();
  EXPECT_GT(metrics.mean_loss, 0);
  EXPECT_TRUE(std::isnan(metrics.mean_error) && std::isnan(metrics.tasks_completed));

  folder.write("pairs.jsonl", pairs);
  Runner both(settings, 1);
  EXPECT_TRUE(both.warnings().empty());
  metrics = both.evaluate();
  const std::vector<double>& error = both.task_metrics().error;
  ASSERT_EQ(error.size(), 2u);  // pairs and squares
  EXPECT_EQ(metrics.mean_error, error[0]);
  EXPECT_TRUE(std::isnan(error[1]));
  EXPECT_EQ(metrics.tasks_completed, error[0] < 0.05 ? 1 : 0);
}

}  // namespace
}  // namespace gradus
