// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/task_limits.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

// Rounding error of a sum of a few probabilities.
constexpr double kTolerance = 1e-12;

auto near(double value) {
  return DoubleNear(value, kTolerance);
}

TEST(LimitedDistribution, WithoutLimitsIsThePolicy) {
  const std::vector<double> policy = {0.5, 0.3, 0.2};
  EXPECT_THAT(limited_distribution(policy, std::vector<TaskLimit>(3)),
              ElementsAre(near(0.5), near(0.3), near(0.2)));
}

// The other two share the frozen task's 0.2 in their ratio, 0.6 : 0.2.
TEST(LimitedDistribution, AFrozenTaskLeavesTheRatiosOfTheOthers) {
  const std::vector<TaskLimit> limits = {{}, {}, {.frozen = true}};
  EXPECT_THAT(limited_distribution(std::vector{0.6, 0.2, 0.2}, limits),
              ElementsAre(near(0.75), near(0.25), 0));
}

// The floor of 0.3 leaves 0.7 for the other two, whose ratio is 0.6 : 0.3 = 2 : 1.
TEST(LimitedDistribution, AFloorIsTakenFromTheOthersInProportion) {
  const std::vector<TaskLimit> limits = {{}, {}, {.floor = 0.3}};
  EXPECT_THAT(limited_distribution(std::vector{0.6, 0.3, 0.1}, limits),
              ElementsAre(near(1.4 / 3), near(0.7 / 3), near(0.3)));
}

// The ceiling of 0.4 leaves 0.6 for the other two, whose ratio is 3 : 1. That raises the first of
// them to 0.45, above its own ceiling of 0.42, so the last gets the rest.
TEST(LimitedDistribution, ACeilingMayBringAnotherTaskToItsOwn) {
  const std::vector<TaskLimit> limits = {{.ceiling = 0.42}, {.ceiling = 0.4}, {}};
  EXPECT_THAT(limited_distribution(std::vector{0.3, 0.6, 0.1}, limits),
              ElementsAre(near(0.42), near(0.4), near(0.18)));
}

TEST(LimitedDistribution, TasksThatThePolicyNeverDrawsShareWhatCeilingsLeave) {
  const std::vector<TaskLimit> limits = {{.ceiling = 0.5}, {}, {.ceiling = 0.1}, {}};
  EXPECT_THAT(limited_distribution(std::vector{1.0, 0.0, 0.0, 0.0}, limits),
              ElementsAre(near(0.5), near(0.2), near(0.1), near(0.2)));
}

TEST(LimitedDistribution, TasksThatThePolicyNeverDrawsStayAtTheirFloorsOtherwise) {
  const std::vector<TaskLimit> limits = {{}, {}, {.floor = 0.25}};
  EXPECT_THAT(limited_distribution(std::vector{1.0, 0.0, 0.0}, limits),
              ElementsAre(near(0.75), 0, near(0.25)));
}

TEST(LimitedDistribution, TakesTheOnlyDistributionThatFloorsLeave) {
  const std::vector<TaskLimit> limits = {{.floor = 0.1}, {.floor = 0.7}, {.floor = 0.2}};
  EXPECT_THAT(limited_distribution(std::vector{0.9, 0.05, 0.05}, limits),
              ElementsAre(near(0.1), near(0.7), near(0.2)));
}

struct Problem {
  std::vector<double> policy;
  std::vector<TaskLimit> limits;
};

// Floors that sum to less than 1, and ceilings above them that sum to more than 1.
Problem any_problem() {
  const int tasks = *rc::gen::inRange(1, 9);
  Problem problem;
  double sum = 0;
  for (int i = 0; i < tasks; ++i) {
    problem.policy.push_back(*rc::gen::inRange(1, 1000));
    sum += problem.policy.back();
    const double floor = *rc::gen::inRange(0, 100) / (100.0 * tasks);
    const double room = *rc::gen::inRange(0, 101) / 100.0 * (1 - floor);
    const bool frozen = i > 0 && *rc::gen::inRange(0, 4) == 0;
    problem.limits.push_back({floor, std::max(floor + room, 0.01), frozen});
  }
  problem.limits[0].ceiling = 1;
  for (double& p : problem.policy) p /= sum;
  return problem;
}

// The same, with the scale found by a hundred bisections.
std::vector<double> by_bisection(const Problem& problem) {
  const auto at = [&](double scale) {
    std::vector<double> p;
    for (std::size_t i = 0; i < problem.policy.size(); ++i) {
      const TaskLimit& limit = problem.limits[i];
      p.push_back(limit.frozen
                      ? 0
                      : std::min(std::max(scale * problem.policy[i], limit.floor), limit.ceiling));
    }
    return p;
  };
  double low = 0;
  double high = 1e9;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    const std::vector<double> p = at(middle);
    (std::accumulate(p.begin(), p.end(), 0.0) < 1 ? low : high) = middle;
  }
  return at(high);
}

RC_GTEST_PROP(LimitedDistribution, KeepsEveryLimitSumsToOneAndAgreesWithBisection, ()) {
  const Problem problem = any_problem();
  const std::vector<double> p = limited_distribution(problem.policy, problem.limits);
  const std::vector<double> expected = by_bisection(problem);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const TaskLimit& limit = problem.limits[i];
    RC_ASSERT((limit.frozen ? p[i] == 0 : p[i] >= limit.floor && p[i] <= limit.ceiling));
    RC_ASSERT(std::abs(p[i] - expected[i]) <= kTolerance);
  }
  RC_ASSERT(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) <= kTolerance);
}

TaskLimits by_task(const std::vector<TaskLimit>& list) {
  TaskLimits limits;
  for (std::size_t i = 0; i < list.size(); ++i) limits[static_cast<int>(i)] = list[i];
  return limits;
}

std::string refusal_of_limits(const std::vector<TaskLimit>& limits) {
  const std::vector<std::string> names = {"easy", "hard"};
  return refusal_of([&] { check_limits(names, by_task(limits)); });
}

TEST(CheckLimits, RefusesWhatNoDistributionKeeps) {
  EXPECT_EQ(refusal_of_limits({{}, {}}), "accepted");
  EXPECT_EQ(refusal_of_limits({{}, {.floor = 0.5, .ceiling = 0.4}}),
            "floor of task 1 (hard) is 0.5, expected a number from 0 to its ceiling 0.4");
  EXPECT_THAT(refusal_of_limits({{.floor = -0.1}, {}}),
              HasSubstr("floor of task 0 (easy) is -0.1"));
  EXPECT_THAT(refusal_of_limits({{.floor = 0, .ceiling = 0}, {}}), HasSubstr("ceiling of task 0"));
  EXPECT_THAT(refusal_of_limits({{.ceiling = 1.5}, {}}),
              HasSubstr("ceiling of task 0 (easy) is 1.5"));
  EXPECT_THAT(refusal_of_limits({{.floor = 0.6}, {.floor = 0.6}}), HasSubstr("sum to 1.2"));
  EXPECT_THAT(refusal_of_limits({{.ceiling = 0.4}, {.ceiling = 0.5}}), HasSubstr("sum to 0.9"));
  EXPECT_THAT(refusal_of_limits({{.ceiling = 0.4}, {.frozen = true}}), HasSubstr("sum to 0.4"));
  EXPECT_THAT(refusal_of_limits({{.frozen = true}, {.frozen = true}}),
              HasSubstr("every task would be"));
}

TEST(CheckLimits, ForgivesTheRoundingOfTenthsThatSumToOne) {
  const std::vector<TaskLimit> tenths(10, {.floor = 0.1, .ceiling = 0.1});
  const std::vector<std::string> names(10, "task");
  EXPECT_NO_THROW(check_limits(names, by_task(tenths)));
}

}  // namespace
}  // namespace gradus
