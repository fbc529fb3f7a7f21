// SPDX-License-Identifier: Apache-2.0
// What core/policy.h promises, for every policy of the list.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "gradus/core/random.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

using nlohmann::json;

std::string any_policy() {
  std::vector<std::string> names;
  for (const PolicyEntry& entry : policy_list()) names.push_back(entry.name);
  return *rc::gen::elementOf(names);
}

PolicySettings any_settings(int tasks) {
  PolicySettings settings{.epsilon = *rc::gen::element(0.01, 0.05, 0.5, 1.0),
                          .discount = *rc::gen::element(0.0, 0.5, 0.99),
                          .temperature = *rc::gen::element(0.01, 0.2, 10.0)};
  if (*rc::gen::arbitrary<bool>()) settings.window = *rc::gen::element(1.0, 7.0, 1000.0);
  settings.probabilities.assign(tasks, 1.0 / tasks);
  if (*rc::gen::arbitrary<bool>()) {
    for (int i = 0; i < tasks; ++i) settings.prior.push_back(*rc::gen::inRange(1, 1000));
  }
  return settings;
}

struct Drawn {
  int task;
  double probability;
};

// Draws a task and settles one of the last five draws.
class Player {
 public:
  explicit Player(std::uint64_t seed) : random_(seed, Purpose::kSample, 0) {}

  void play(Policy& policy) {
    const int task = policy.draw(random_.uniform());
    drawn_.push_back({task, policy.probability(task)});
    const auto recent = std::min<std::size_t>(5, drawn_.size());
    const Drawn& late =
        drawn_[drawn_.size() - 1 - random_.below(static_cast<std::uint32_t>(recent))];
    const double reward = random_.coin() ? 2 * random_.uniform() - 1 : (random_.coin() ? 1 : -1);
    policy.update(late.task, late.probability, reward);
  }
  // Tickets of other tasks are void.
  void forget() { drawn_.clear(); }
  std::uint32_t below(int bound) { return random_.below(static_cast<std::uint32_t>(bound)); }

 private:
  Random random_;
  std::vector<Drawn> drawn_;
};

void assert_distribution(const Policy& policy) {
  const std::vector<double> p = policy.probabilities();
  RC_ASSERT(static_cast<int>(p.size()) == policy.size());
  RC_ASSERT(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < 1e-12);
  double below = 0;
  for (int i = 0; i < policy.size(); ++i) {
    RC_ASSERT(p[i] > 0);
    RC_ASSERT(std::abs(policy.below(std::vector{i})[0] - below) < 1e-12);
    RC_ASSERT(p[i] == policy.probability(i));
    if (p[i] > 1e-9) RC_ASSERT(policy.draw(below + p[i] / 2) == i);
    below += p[i];
  }
}

RC_GTEST_PROP(EveryPolicy, IsAPositiveDistributionWhateverItLearnsAndWhateverTasksComeAndGo,
              (std::uint64_t seed)) {
  const std::string name = any_policy();
  const int tasks = *rc::gen::inRange(1, 12);
  const auto policy = make_policy(name, tasks, any_settings(tasks));
  RC_TAG(name);
  Player player(seed);
  assert_distribution(*policy);
  for (int round = 0; round < 60; ++round) {
    player.play(*policy);
    assert_distribution(*policy);
    if (round % 10 != 9) continue;
    if (player.below(2) == 0 && policy->size() > 1) {
      policy->remove_task(static_cast<int>(player.below(policy->size())));
    } else {
      policy->add_task();
    }
    player.forget();
    assert_distribution(*policy);
  }
}

RC_GTEST_PROP(EveryPolicy, GoesOnFromItsSavedStateToTheLastBit, (std::uint64_t seed)) {
  const std::string name = any_policy();
  const int tasks = *rc::gen::inRange(1, 12);
  const auto original = make_policy(name, tasks, any_settings(tasks));
  RC_TAG(name);
  Player player(seed);
  const int rounds = *rc::gen::inRange(0, 200);
  for (int round = 0; round < rounds; ++round) player.play(*original);

  const auto restored = make_policy(name, tasks, read_policy_settings(original->settings()));
  RC_ASSERT(restored->settings() == original->settings());
  restored->restore(json::parse(original->state().dump()));
  Player same = player;
  for (int round = 0; round < 40; ++round) {
    player.play(*original);
    same.play(*restored);
    RC_ASSERT(restored->probabilities() == original->probabilities());
  }
  RC_ASSERT(restored->state().dump() == original->state().dump());
}

// Plays independent rewards that are the same for all tasks in distribution: normal ones, clipped
// like scaled rewards. Returns the distance of the shares of draws from uniform.
double distance_under_noise(const PolicyEntry& entry, int tasks, int rounds, std::uint64_t seed) {
  PolicySettings settings;
  settings.probabilities.assign(tasks, 1.0 / tasks);
  if (policy_reads(entry.name, "eta")) settings.eta = automatic_eta(tasks, rounds);
  const auto policy = make_policy(entry.name, tasks, settings);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 1.19);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> shares(tasks);
  for (int round = 0; round < rounds; ++round) {
    const int task = policy->draw(uniform(random));
    shares[task] += 1.0 / rounds;
    policy->update(task, policy->probability(task), std::clamp(normal(random), -1.0, 1.0));
  }
  return distance_from_uniform(shares);
}

// Noise moves a policy by a random walk of its weights, which step size, exploration and forgetting
// bound: with these numbers by 0.06 (ducb) to 0.23 (tsallis), of which 0.02 are the noise of 4000
// draws. The exception is exp3: it has neither exploration nor forgetting, so a task whose weight
// has fallen is not drawn again (docs/algorithm.md).
TEST(EveryPolicy, StaysNearUniformIfRewardsCarryNoSignal) {
  constexpr int kSeeds = 6;
  for (const PolicyEntry& entry : policy_list()) {
    if (entry.name == "exp3") continue;
    double distance = 0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      distance += distance_under_noise(entry, 8, 4000, seed) / kSeeds;
    }
    EXPECT_LT(distance, 0.3) << entry.name;
  }
}

}  // namespace
}  // namespace gradus
