// SPDX-License-Identifier: Apache-2.0
// How exp3s responds to noise and to signals, with a fixed and with the automatic eta: the table of
// docs/algorithm.md. Rewards are 1 or -1.
//
// Noise: both are equally likely for every task. Shows the largest probability of a task, averaged
// over the run.
// Signal: one task has a mean reward of 0.25, all others of -0.25. Shows how often it is drawn in
// the last quarter.
// Change: the best task is a different one in each quarter of the run. Shows how often it is drawn
// in the second half of each quarter.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "gradus/core/random.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

constexpr int kSeeds = 5;
enum class World { kNoise, kSignal, kChange };

// The task with the best rewards in a quarter of the run, or -1 if there is none.
int best_task(World world, int tasks, int quarter) {
  if (world == World::kNoise) return -1;
  return world == World::kSignal ? tasks / 2 : quarter * std::max(1, tasks / 4) % tasks;
}

double probability_of_one(World world, bool best) {
  if (world == World::kNoise) return 0.5;
  return best ? 0.625 : 0.375;
}

double largest_probability(const Policy& policy) {
  const std::vector<double> p = policy.probabilities();
  return *std::max_element(p.begin(), p.end());
}

// The number that the table shows for one run.
double play(World world, int tasks, std::int64_t rounds, std::optional<double> eta, int seed) {
  const auto policy = make_policy("exp3s", tasks, {.eta = eta});
  Random random(seed, Purpose::kSample, rounds);
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t t = 0; t < rounds; ++t) {
    const auto quarter = static_cast<int>(4 * t / rounds);
    const int best = best_task(world, tasks, quarter);
    const int task = policy->draw(random.uniform());
    const bool one = random.uniform() < probability_of_one(world, task == best);
    policy->update(task, policy->probability(task), one ? 1 : -1);
    if (world == World::kNoise && t % (rounds / 100) == 0) {
      sum += largest_probability(*policy);
      ++count;
    }
    const bool counts = world == World::kSignal ? quarter == 3 : 8 * t / rounds % 2 == 1;
    if (world == World::kNoise || !counts) continue;
    sum += task == best ? 1 : 0;
    ++count;
  }
  return sum / static_cast<double>(count);
}

double mean_play(World world, int tasks, std::int64_t rounds, std::optional<double> eta) {
  double sum = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) sum += play(world, tasks, rounds, eta, seed);
  return sum / kSeeds;
}

void print_row(int tasks, std::int64_t rounds) {
  const double planned = automatic_eta(tasks, rounds);
  std::printf("| %d | %ld |", tasks, static_cast<long>(rounds));
  for (const std::optional<double> eta :
       std::array<std::optional<double>, 3>{1e-3, planned, std::nullopt}) {
    if (eta == planned) std::printf(" %.1e:", planned);
    for (const World world : {World::kNoise, World::kSignal, World::kChange}) {
      std::printf(" %.3f", mean_play(world, tasks, rounds, eta));
    }
    std::printf(" |");
  }
  std::printf("\n");
}

void print_table() {
  std::printf("| tasks | rounds | 1e-3 | automatic eta: rounds known | rounds unknown |\n");
  std::printf("| --- | --- | --- | --- | --- |\n");
  for (const int tasks : {2, 11, 36, 169, 1000, 10'000}) {
    for (const std::int64_t rounds : {1000, 300'000}) print_row(tasks, rounds);
  }
}

}  // namespace
}  // namespace gradus

int main() {
  gradus::print_table();
}
