// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/learner.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "gradus/core/answers.h"

namespace gradus {
namespace {

TEST(Evaluation, AddsUpOverBatches) {
  Evaluation sum{.total_loss = 3, .outputs = 2, .answers = 1, .wrong_answers = 1};
  sum += {.total_loss = 5, .outputs = 6, .answers = 3, .wrong_answers = 0};
  EXPECT_EQ(sum.loss_per_output(), 1.0);
  EXPECT_EQ(sum.error(), 0.25);
}

// Sequence 0 has two answers, at steps 1 and 2 and at step 4; sequence 1 has one at steps 2 and 3.
TEST(AnswerCounter, CountsConsecutiveOutputsAsOneAnswer) {
  AnswerCounter answers;
  Evaluation evaluation;
  answers.start(2);
  answers.add(0, 1, true, evaluation);
  answers.add(0, 2, true, evaluation);
  answers.add(1, 2, false, evaluation);
  answers.add(1, 3, true, evaluation);
  answers.add(0, 4, false, evaluation);
  EXPECT_EQ(evaluation.outputs, 5);
  EXPECT_EQ(evaluation.answers, 3);
  EXPECT_EQ(evaluation.wrong_answers, 2);
  // Steps of another batch do not continue the answers of this one.
  answers.start(1);
  answers.add(0, 5, true, evaluation);
  EXPECT_EQ(evaluation.answers, 4);
  EXPECT_EQ(evaluation.wrong_answers, 3);
}

TEST(Evaluation, TasksAreCompletedBelowFivePercentError) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(tasks_completed(std::vector<double>{0, 0.049, 0.05, 0.5, 1, nan}), 2);
  EXPECT_EQ(tasks_completed({}), 0);
}

}  // namespace
}  // namespace gradus
