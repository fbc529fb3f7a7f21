#include "gradus/core/learner.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace gradus {
namespace {

TEST(Evaluation, AddsUpOverBatches) {
  Evaluation sum{.total_loss = 3, .outputs = 2, .answers = 1, .wrong_answers = 1};
  sum += {.total_loss = 5, .outputs = 6, .answers = 3, .wrong_answers = 0};
  EXPECT_EQ(sum.loss_per_output(), 1.0);
  EXPECT_EQ(sum.error(), 0.25);
}

TEST(Evaluation, TasksAreCompletedBelowFivePercentError) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(tasks_completed(std::vector<double>{0, 0.049, 0.05, 0.5, 1, nan}), 2);
  EXPECT_EQ(tasks_completed({}), 0);
}

}  // namespace
}  // namespace gradus
