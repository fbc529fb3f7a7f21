// SPDX-License-Identifier: Apache-2.0
// Regret against known bandits: ten tasks with rewards of 1 and -1, whose means change twice.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gradus/core/random.h"
#include "gradus/policies/corral.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

constexpr int kTasks = 10;
constexpr int kSeeds = 30;

// The mean reward of each task in round t of `rounds`.
using Means = std::array<double, kTasks> (*)(int t, int rounds);

// Another task is the best one in each third: 0.6 instead of -0.2.
std::array<double, kTasks> changing(int t, int rounds) {
  std::array<double, kTasks> means;
  means.fill(-0.2);
  means[2 + 3 * (3 * t / rounds)] = 0.6;
  return means;
}

// Task 4 is good throughout; others are better or worse than it in one third.
std::array<double, kTasks> one_good(int t, int rounds) {
  std::array<double, kTasks> means;
  means.fill(-0.4);
  means[4] = 0.4;
  means[7 * (3 * t / rounds) % kTasks] = 0.5;
  return means;
}

double best_fixed(Means means, int rounds) {
  std::array<double, kTasks> sums{};
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < kTasks; ++i) sums[i] += means(t, rounds)[i];
  }
  return *std::max_element(sums.begin(), sums.end());
}

double best_of_each_round(Means means, int rounds) {
  double sum = 0;
  for (int t = 0; t < rounds; ++t) {
    const auto now = means(t, rounds);
    sum += *std::max_element(now.begin(), now.end());
  }
  return sum;
}

// The sum of the mean rewards of the tasks that were drawn.
double play(Policy& policy, Means means, int rounds, int seed) {
  Random random(seed, Purpose::kSample, 0);
  double sum = 0;
  for (int t = 0; t < rounds; ++t) {
    const int task = policy.draw(random.uniform());
    const double mean = means(t, rounds)[task];
    policy.update(task, policy.probability(task), random.uniform() < (1 + mean) / 2 ? 1 : -1);
    sum += mean;
  }
  return sum;
}

struct Regret {
  double mean;
  double half_width;  // of its 95% interval
};

Regret regret_of(const std::string& name, const PolicySettings& settings, Means means, int rounds,
                 double best) {
  double sum = 0;
  double squares = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const auto policy = make_policy(name, kTasks, settings);
    const double regret = best - play(*policy, means, rounds, seed);
    sum += regret;
    squares += regret * regret;
  }
  const double mean = sum / kSeeds;
  const double variance = (squares - sum * mean) / (kSeeds - 1);
  constexpr double kStudent = 2.045;  // 97.5% quantile, 29 degrees of freedom
  return {mean, kStudent * std::sqrt(variance / kSeeds)};
}

Regret uniform_regret(Means means, int rounds, double best) {
  return regret_of("uniform", {}, means, rounds, best);
}

constexpr int kShort = 1000;
constexpr int kLong = 4000;

class FixedBest : public testing::TestWithParam<std::string> {
 protected:
  static Regret regret(int rounds) {
    return regret_of(GetParam(), {}, one_good, rounds, best_fixed(one_good, rounds));
  }
};

INSTANTIATE_TEST_SUITE_P(Policies, FixedBest, testing::Values("exp3ix", "tsallis"),
                         [](const auto& info) { return info.param; });

// Both bounds are of order sqrt(T), so four times the rounds may at most double the regret.
// Uniform sampling has a regret of about 0.69 T.
TEST_P(FixedBest, HasARegretBelowThatOfUniformSamplingAndOfOrderRootT) {
  const Regret few = regret(kShort);
  const Regret many = regret(kLong);
  const Regret uniform = uniform_regret(one_good, kShort, best_fixed(one_good, kShort));
  EXPECT_LT(few.mean + few.half_width, 0.6 * (uniform.mean - uniform.half_width));
  EXPECT_LT(many.mean - many.half_width, 2 * (few.mean + few.half_width));
}

// Theorem 1 of Zimmert & Seldin: 4 sqrt(N T) + 1 for losses in [0, 1], twice that for rewards in
// [-1, 1].
TEST(Tsallis, HasARegretWithinItsBound) {
  const Regret regret = regret_of("tsallis", {}, one_good, kLong, best_fixed(one_good, kLong));
  EXPECT_LT(regret.mean + regret.half_width, 2 * (4 * std::sqrt(kTasks * kLong) + 1));
}

// The bound of Auer et al. 2002 (The nonstochastic multiarmed bandit problem), section 3:
// 2 sqrt(e - 1) sqrt(N T ln N), twice that for rewards in [-1, 1]. Their Exp3 also explores
// uniformly; ours does not.
TEST(Exp3, HasARegretWithinTheBound) {
  constexpr int kRounds = 20'000;
  const double eta = std::sqrt(std::log(kTasks) / ((std::numbers::e - 1) * kTasks * kRounds));
  const double best = best_fixed(one_good, kRounds);
  const Regret regret = regret_of("exp3", {.eta = eta}, one_good, kRounds, best);
  const double bound = 4 * std::sqrt((std::numbers::e - 1) * kTasks * kRounds * std::log(kTasks));
  const Regret uniform = uniform_regret(one_good, kRounds, best);
  EXPECT_LT(bound, uniform.mean - uniform.half_width);
  EXPECT_LT(regret.mean + regret.half_width, bound);
}

// Corollary 8.2 of the same paper, with its settings, for a best task that changes twice:
// 2 sqrt(e - 1) sqrt(N T (3 ln(N T) + e)), twice that for rewards in [-1, 1].
TEST(Exp3S, HasARegretWithinTheBoundThoughTheBestTaskChanges) {
  constexpr int kRounds = 40'000;
  const double switches = 3 * std::log(double{kTasks} * kRounds) + std::numbers::e;
  const double gamma = std::sqrt(kTasks * switches / ((std::numbers::e - 1) * kRounds));
  const PolicySettings settings{.eta = gamma / kTasks, .epsilon = gamma};
  const double best = best_of_each_round(changing, kRounds);
  const Regret regret = regret_of("exp3s", settings, changing, kRounds, best);
  const double bound = 4 * std::sqrt((std::numbers::e - 1) * kTasks * kRounds * switches);
  const Regret uniform = uniform_regret(changing, kRounds, best);
  EXPECT_LT(bound, uniform.mean - uniform.half_width);
  EXPECT_LT(regret.mean + regret.half_width, bound);
}

class ChangingBest : public testing::TestWithParam<std::string> {
 protected:
  // Theory asks for a window of order sqrt(T) for a given number of changes, and exploration costs
  // epsilon T.
  static Regret regret(int rounds) {
    const double root = std::sqrt(static_cast<double>(rounds) / kShort);
    const PolicySettings settings{.epsilon = 0.05 / root, .window = std::round(400 * root)};
    return regret_of(GetParam(), settings, changing, rounds, best_of_each_round(changing, rounds));
  }
};

INSTANTIATE_TEST_SUITE_P(Policies, ChangingBest,
                         testing::Values("boltzmann", "ducb", "swucb", "thompson", "corral"),
                         [](const auto& info) { return info.param; });

// The bounds of Garivier & Moulines are of order sqrt(T) log(T), against the best task of each
// round. Uniform sampling has a regret of 0.72 T.
TEST_P(ChangingBest, HasARegretBelowThatOfUniformSamplingAndOfOrderRootTLogT) {
  const Regret few = regret(kShort);
  const Regret many = regret(kLong);
  const Regret uniform = uniform_regret(changing, kShort, best_of_each_round(changing, kShort));
  EXPECT_LT(few.mean + few.half_width, 0.6 * (uniform.mean - uniform.half_width));
  const double growth = 2 * std::log(kLong) / std::log(kShort);
  EXPECT_LT(many.mean - many.half_width, growth * (few.mean + few.half_width));
}

// One base draws uniformly and one learns; the master finds out which is better.
TEST(Corral, FollowsTheBaseThatLearns) {
  std::vector<std::unique_ptr<Policy>> bases;
  bases.push_back(make_uniform(kTasks));
  bases.push_back(make_swucb(kTasks, 400, 0.05));
  const auto policy = make_corral(std::move(bases));
  play(*policy, changing, kShort, 1);
  EXPECT_GT(policy->base_probability(1), 0.8);
}

}  // namespace
}  // namespace gradus
