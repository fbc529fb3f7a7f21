// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "gradus/core/gain.h"
#include "gradus/nn/learner_settings.h"
#include "tests/nn/backends.h"

namespace gradus {

/// One suite for all back ends. Skips those that this machine cannot run. scripts/test-gpu runs it
/// on a machine with a GPU.
class BackendSuite : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!available(backend())) GTEST_SKIP() << "needs a GPU";
  }
  const Backend& backend() const { return backends()[GetParam()]; }
};

LearnerSettings settings_for(ObjectiveKind kind, PriorKind prior = PriorKind::kGlobal);

/// Everything that can be measured under an objective.
Needs all_needs(ObjectiveKind kind);

std::vector<double> numbers(const Tensor& tensor);
LearnerState in_double(LearnerState state);

double length(const std::vector<double>& values);
/// |got - expected| / |expected|.
double error(const Tensor& got, const Tensor& expected);

}  // namespace gradus
