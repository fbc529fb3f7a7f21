// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/limited_policy.h"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/core/fakes.h"

namespace gradus {
namespace {

// Rounding error of sums of a few probabilities and their differences.
constexpr double kRounding = 1e-12;

// By hand: of ten tasks with probability 0.1, task 2 has a floor of 0.3 and task 7 is frozen. The
// others share 0.7, 0.0875 each.
TEST(LimitedPolicy, DrawsTasksWithoutLimitsFromThePolicy) {
  const FakePolicy policy(std::vector<double>(10, 0.1));
  LimitedPolicy limited({{2, {.floor = 0.3}}, {7, {.frozen = true}}});
  limited.refresh(policy);
  EXPECT_NEAR(limited.probability(policy, 0), 0.0875, kRounding);
  EXPECT_NEAR(limited.probability(policy, 2), 0.3, kRounding);
  EXPECT_EQ(limited.probability(policy, 7), 0);
  // Upper ends: 0.0875, 0.175, 0.475, 0.5625, 0.65, 0.7375, 0.825, (7: none), 0.9125, 1.
  const std::vector<std::pair<double, int>> expected = {
      {0, 0},     {0.087, 0}, {0.088, 1}, {0.176, 2}, {0.474, 2},
      {0.476, 3}, {0.824, 6}, {0.826, 8}, {0.913, 9}, {std::nextafter(1.0, 0.0), 9}};
  for (const auto& [u, task] : expected) EXPECT_EQ(limited.draw(policy, u), task) << u;
}

// The only task that is left has probability 1, whatever rounding does to the policy's.
TEST(LimitedPolicy, NeverExceedsOne) {
  int rounded = 0;
  for (int n = 2; n < 200; ++n) {
    for (int i = 1; i < n; ++i) {
      const FakePolicy policy({i / double(n), (n - i) / double(n)});
      LimitedPolicy limited({{0, {.frozen = true}}});
      limited.refresh(policy);
      EXPECT_LE(limited.probability(policy, 1), 1);
      EXPECT_LE(limited.probabilities(policy)[1], 1);
      rounded += policy.probability(1) / (1 - policy.probability(0)) > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(rounded, 100);  // cases in which the plain quotient would exceed 1
}

struct Case {
  std::vector<double> policy;
  TaskLimits limits;
};

// Up to thirty tasks, some of which the policy never draws, and limits on any number of them.
Case any_case() {
  const int tasks = *rc::gen::inRange(2, 30);
  Case any;
  for (int i = 0; i < tasks; ++i) any.policy.push_back(*rc::gen::inRange(0, 5));
  any.policy[0] += 1;
  const double sum = std::accumulate(any.policy.begin(), any.policy.end(), 0.0);
  for (double& p : any.policy) p /= sum;
  const int one_in = *rc::gen::inRange(1, 6);
  for (int i = 1; i < tasks; ++i) {
    if (*rc::gen::inRange(0, one_in) > 0) continue;
    const double floor = *rc::gen::inRange(0, 100) / (100.0 * tasks);
    any.limits[i] = {floor, *rc::gen::element(floor + 0.01, 1.0), *rc::gen::inRange(0, 4) == 0};
  }
  return any;
}

RC_GTEST_PROP(LimitedPolicy, AgreesWithTheDistributionOfAllTasksAtOnce, ()) {
  const Case any = any_case();
  const FakePolicy policy(any.policy);
  std::vector<TaskLimit> limits(any.policy.size());
  for (const auto& [task, limit] : any.limits) limits[task] = limit;
  const std::vector<double> expected = limited_distribution(any.policy, limits);
  LimitedPolicy limited(any.limits);
  if (limited.empty()) return;
  limited.refresh(policy);
  const std::vector<double> found = limited.probabilities(policy);
  std::vector<double> ends;
  double end = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    RC_ASSERT(std::abs(found[i] - expected[i]) < kRounding);
    RC_ASSERT(found[i] == limited.probability(policy, static_cast<int>(i)));
    ends.push_back(end += expected[i]);
  }
  for (int i = 0; i < 50; ++i) {
    const double u = *rc::gen::inRange(0, 1'000'000) / 1e6;
    const int task = limited.draw(policy, u);
    RC_ASSERT(found[task] > 0);
    RC_ASSERT(u >= ends[task] - expected[task] - 1e-9);
    RC_ASSERT(u <= ends[task] + 1e-9);
  }
}

// A uniform policy over many tasks that counts how often it is asked for a probability.
class Counted final : public Policy {
 public:
  static constexpr int kTasks = 100'000;
  std::string_view name() const override { return "counted"; }
  int size() const override { return kTasks; }
  double probability(int) const override {
    ++asked;
    return 1.0 / kTasks;
  }
  std::vector<double> probabilities() const override {
    asked += kTasks;
    return std::vector<double>(kTasks, 1.0 / kTasks);
  }
  int draw(double u) const override { return static_cast<int>(u * kTasks); }
  std::vector<double> below(std::span<const int> tasks) const override {
    std::vector<double> sums;
    for (const int task : tasks) sums.push_back(static_cast<double>(task) / kTasks);
    return sums;
  }
  void update(int, double, double) override {}
  void add_task() override {}
  void remove_task(int) override {}
  nlohmann::json settings() const override { return {}; }
  nlohmann::json state() const override { return {}; }
  void restore(const nlohmann::json&) override {}

  mutable int asked = 0;
};

TEST(LimitedPolicy, DoesNotReadTheProbabilitiesOfAllTasks) {
  const Counted policy;
  LimitedPolicy limited(
      {{5, {.floor = 0.25}}, {77, {.ceiling = 1e-6}}, {99'999, {.frozen = true}}});
  limited.refresh(policy);
  int fives = 0;
  for (int i = 0; i < 1000; ++i) fives += limited.draw(policy, (i + 0.5) / 1000) == 5 ? 1 : 0;
  EXPECT_NEAR(fives, 250, 1);
  // At most twice per limit and per draw.
  EXPECT_LE(policy.asked, 2 * (3 + 1000));
}

}  // namespace
}  // namespace gradus
