#include "gradus/runs/training.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gradus/runs/run_reader.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

RunSettings small_run() {
  RunSettings settings;
  settings.repeat_copy.max_length = 2;
  settings.repeat_copy.max_repeats = 2;
  settings.cells = 8;
  settings.batch = 4;
  settings.steps = 2000;
  settings.evaluation_interval = 300;
  settings.evaluation_sequences = 4;
  return settings;
}

void train_to_the_end(Training& training) {
  while (!training.finished()) training.advance();
}

// A checkpoint does not hold the gradient of the last update, whose length an evaluation tells.
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

TEST(Training, StoppedAfterItsLastBatchIsFinished) {
  const testing::TemporaryFolder folder;
  const auto training = Training::start(small_run(), folder.path(), {});
  while (!training->runner().finished()) training->advance();
  EXPECT_FALSE(training->finished());
  training->stop();
  EXPECT_TRUE(training->finished());
  EXPECT_EQ(read_run(folder.path()).status, "finished");
}

// A text is never right or wrong as a whole, so it has no error and cannot be completed.
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
  settings.files.path = folder.path().string();
  settings.steps = 1;
  EXPECT_EQ(Runner(settings, 1).warnings().size(), 1u);  // one task
  Metrics metrics = Runner(settings, 1).evaluate();
  EXPECT_GT(metrics.mean_loss, 0);
  EXPECT_TRUE(std::isnan(metrics.mean_error) && std::isnan(metrics.tasks_completed));

  folder.write("pairs.jsonl", pairs);
  Runner both(settings, 1);
  EXPECT_TRUE(both.warnings().empty());
  metrics = both.evaluate();
  const std::vector<double>& error = both.task_metrics().error;
  ASSERT_EQ(error.size(), 2u);  // pairs, squares
  EXPECT_EQ(metrics.mean_error, error[0]);
  EXPECT_TRUE(std::isnan(error[1]));
  EXPECT_EQ(metrics.tasks_completed, error[0] < 0.05 ? 1 : 0);
}

}  // namespace
}  // namespace gradus
