#include "gradus/runs/training.h"

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

}  // namespace
}  // namespace gradus
