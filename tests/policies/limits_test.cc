// SPDX-License-Identifier: Apache-2.0
// Limits on many tasks of Exp3.S, which LimitedPolicy follows in O(log N).
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "gradus/core/limited_policy.h"
#include "gradus/core/ordered_limits.h"
#include "gradus/core/random.h"
#include "gradus/core/syllabus.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"

namespace gradus {
namespace {

// Several updates after each of which one task's probability is far from the others'.
void learn(Policy& policy, LimitedPolicy& limited, int updates, std::uint64_t seed) {
  Random random(seed, Purpose::kPolicyDraw, 0);
  for (int i = 0; i < updates; ++i) {
    const int task = static_cast<int>(random.uniform() * policy.size());
    policy.update(task, policy.probability(task), 2 * random.uniform() - 1);
    limited.changed(task);
  }
}

struct Case {
  int tasks = 0;
  std::vector<double> prior;  // empty if uniform
  TaskLimits limits;
};

// 40 to 150 tasks. Most of them have one of two limits, in proportion to the prior; some are
// frozen.
Case any_case() {
  Case any;
  const int tasks = any.tasks = *rc::gen::inRange(40, 150);
  if (*rc::gen::arbitrary<bool>()) {
    for (int i = 0; i < tasks; ++i) any.prior.push_back(*rc::gen::inRange(1, 10));
  }
  double sum = 0;
  for (const double weight : any.prior) sum += weight;
  const double floors[] = {*rc::gen::inRange(0, 100) / 100.0, *rc::gen::inRange(0, 100) / 100.0};
  const double ceilings[] = {1 + *rc::gen::inRange(1, 40) / 10.0,
                             1 + *rc::gen::inRange(1, 9) * 1e9};
  for (int i = 0; i < tasks; ++i) {
    const int kind = *rc::gen::inRange(0, 8);
    const double mean = any.prior.empty() ? 1.0 / tasks : any.prior[i] / sum;
    if (kind == 1) continue;
    any.limits[i] = {floors[kind % 2] * mean, std::min(1.0, ceilings[kind % 2] * mean), kind == 0};
  }
  any.limits[0] = {};  // so that the ceilings leave nothing over
  return any;
}

RC_GTEST_PROP(Limits, OnManyTasksAgreeWithTheDistributionOfAllTasksAtOnce, ()) {
  const Case any = any_case();
  const int size = any.tasks;
  const auto policy = make_exp3s(size, *rc::gen::element(0.01, 0.3, 3.0), 0, 0.05, any.prior);
  LimitedPolicy limited(any.limits);
  std::vector<TaskLimit> limits(size);
  for (const auto& [task, limit] : any.limits) limits[task] = limit;
  limited.refresh(*policy);
  for (int step = 0; step < 5; ++step) {
    learn(*policy, limited, *rc::gen::inRange(0, 30), *rc::gen::arbitrary<std::uint64_t>());
    limited.refresh(*policy);
    const std::vector<double> expected = limited_distribution(policy->probabilities(), limits);
    const std::vector<double> found = limited.probabilities(*policy);
    for (int i = 0; i < size; ++i) RC_ASSERT(std::abs(found[i] - expected[i]) < 1e-11);

    // Equally spaced quantiles reach a task as often as its probability says, give or take one.
    std::vector<int> counts(size, 0);
    for (int i = 0; i < 2000; ++i) ++counts[limited.draw(*policy, (i + 0.5) / 2000)];
    for (int i = 0; i < size; ++i) RC_ASSERT(std::abs(counts[i] - 2000 * expected[i]) <= 1 + 1e-6);

    // A policy restored from its state draws exactly alike.
    const auto copy = make_exp3s(size, policy->settings()["eta"].get<double>(), 0, 0.05, any.prior);
    copy->restore(policy->state());
    LimitedPolicy again(any.limits);
    again.refresh(*copy);
    RC_ASSERT(again.probabilities(*copy) == found);
    for (int i = 0; i < 100; ++i) {
      const double u = (i + 0.5) / 100;
      RC_ASSERT(again.draw(*copy, u) == limited.draw(*policy, u));
    }
  }
}

TEST(Limits, OfFewKindsAreOrderedAndOthersAreNot) {
  const auto policy = make_exp3s(100, 0.1, 0, 0.05);
  TaskLimits equal;
  TaskLimits different;
  for (int i = 0; i < 100; ++i) {
    equal[i] = {.floor = 1e-3};
    different[i] = {.floor = 1e-5 * i};
  }
  EXPECT_TRUE(OrderedLimits::make(*policy, equal));
  EXPECT_FALSE(OrderedLimits::make(*policy, different));
  EXPECT_FALSE(OrderedLimits::make(*make_uniform(100), equal));
}

TEST(Limits, HoldWhileTasksAreAddedAndRemoved) {
  std::vector<std::string> names;
  for (int i = 0; i < 50; ++i) names.push_back(std::to_string(i));
  Syllabus syllabus(names, make_exp3s(50, 0.5, 0, 0.05), make_quantile_scale({}, 1), 1);
  for (int i = 0; i < 50; ++i) syllabus.set_limit(i, {.floor = 0.01, .ceiling = 0.1});
  for (int round = 0; round < 300; ++round) {
    if (round % 30 == 7) syllabus.add_task("more " + std::to_string(round));
    if (round % 30 == 20) syllabus.remove_task(round % 13);
    const Ticket ticket = syllabus.draw();
    syllabus.reward(ticket, ticket.task % 7, 1);
    const std::vector<double> p = syllabus.probabilities();
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const TaskLimit limit = syllabus.limit(static_cast<int>(i));
      EXPECT_GE(p[i], limit.floor);
      EXPECT_LE(p[i], limit.ceiling);
      sum += p[i];
    }
    EXPECT_NEAR(sum, 1, 1e-11);
  }
}

}  // namespace
}  // namespace gradus
