// SPDX-License-Identifier: Apache-2.0
// Counts a learner's allocations after it has seen a batch of the same size.

#include <gtest/gtest.h>

#include "gradus/nn/cpu/learner.h"
#include "tests/nn/counted_new.h"
#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

TEST(CpuLearner, AllocatesNothingOnceItHasSeenABatchAsLarge) {
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 4), 2, 20};
  const Batch batch = random_batch(spec.data, 21, 9, 1);
  for (const ObjectiveKind kind :
       {ObjectiveKind::kMaximumLikelihood, ObjectiveKind::kL2, ObjectiveKind::kVariational}) {
    for (const int threads : {1, 3}) {
      LearnerSettings settings;
      settings.objective.kind = kind;
      settings.objective.total_sequences = 1000;
      settings.threads = threads;
      CpuLearner<float> learner(spec, settings, 3);
      const Needs needs{.loss_after = true, .gradient_norm = true};
      learner.train(batch, nullptr, needs);
      const long before = allocations();
      for (int update = 0; update < 3; ++update) learner.train(batch, nullptr, needs);
      EXPECT_EQ(allocations() - before, 0) << to_string(kind) << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace gradus
