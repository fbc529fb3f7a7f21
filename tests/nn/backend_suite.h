#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "gradus/core/gain.h"
#include "gradus/nn/learner_settings.h"
#include "tests/nn/backends.h"

namespace gradus {

/// One suite over all back ends. What a machine cannot run is skipped; scripts/test-gpu runs it
/// where there is a GPU.
class BackendSuite : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!available(backend())) GTEST_SKIP() << "needs a GPU";
  }
  const Backend& backend() const { return backends()[GetParam()]; }
};

LearnerSettings settings_for(ObjectiveKind kind, PriorKind prior = PriorKind::kGlobal);

/// All that can be measured under an objective.
Needs all_needs(ObjectiveKind kind);

std::vector<double> numbers(const Tensor& tensor);
LearnerState in_double(LearnerState state);

double length(const std::vector<double>& values);
/// |got - expected| / |expected|.
double error(const Tensor& got, const Tensor& expected);

}  // namespace gradus
