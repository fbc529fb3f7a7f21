// SPDX-License-Identifier: Apache-2.0
// Cost of the bandit per training step: one draw and its reward, by policy and number of tasks,
// with a full reward history. The promise is under 5 microseconds for exp3s with 169 tasks.

#include "gradus/core/syllabus.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "gradus/core/random.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"
#include "gradus/rewards/reservoir.h"

namespace gradus {
namespace {

constexpr std::uint32_t kCapacity = 10'000;

// Precomputed noise, so that it costs nothing in the loops.
class Noise {
 public:
  Noise() {
    Random random(1, Purpose::kSample, 0);
    for (double& value : values_) value = random.normal();
  }
  double next() { return values_[position_++ % values_.size()]; }

 private:
  std::array<double, 4096> values_{};
  std::size_t position_ = 0;
};

void round_of(Syllabus& syllabus, Noise& noise) {
  const Ticket ticket = syllabus.draw();
  syllabus.reward(ticket, noise.next() + 0.01 * ticket.task, 50);
}

// `work` divides the number of rounds before the measurement, for policies with slow rounds.
void draw_and_reward(benchmark::State& state, const std::string& policy,
                     const PolicySettings& settings, int work = 1) {
  const int tasks = static_cast<int>(state.range(0));
  Syllabus syllabus(std::vector<std::string>(tasks, "task"), make_policy(policy, tasks, settings),
                    make_quantile_scale({.reservoir = kCapacity}, 1), 1);
  Noise noise;
  // Enough to fill the history, unless there are so many tasks that it would take too long.
  const int rounds = std::min(2 * static_cast<int>(kCapacity), 200'000'000 / tasks / work);
  for (int i = 0; i < rounds; ++i) round_of(syllabus, noise);
  for (auto _ : state) round_of(syllabus, noise);
}

void by_tasks(benchmark::internal::Benchmark* benchmark) {
  for (const int tasks : {11, 169, 1000, 10'000, 100'000, 1'000'000}) benchmark->Arg(tasks);
}

void few_sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int tasks : {10, 1000, 100'000}) benchmark->Arg(tasks);
}

using Settings = PolicySettings;
BENCHMARK_CAPTURE(draw_and_reward, exp3s, "exp3s", Settings{.eta = 1e-3})->Apply(by_tasks);
BENCHMARK_CAPTURE(draw_and_reward, exp3s_eta_10, "exp3s", Settings{.eta = 10})->Apply(by_tasks);
BENCHMARK_CAPTURE(draw_and_reward, exp3s_beta, "exp3s", Settings{.eta = 1e-3, .beta = 0.1})
    ->Apply(by_tasks);
BENCHMARK_CAPTURE(draw_and_reward, exp3, "exp3", Settings{.eta = 1e-3})->Apply(by_tasks);
BENCHMARK_CAPTURE(draw_and_reward, uniform, "uniform", Settings{})->Apply(by_tasks);
BENCHMARK_CAPTURE(draw_and_reward, exp3ix, "exp3ix", Settings{}, 10)->Apply(few_sizes);
BENCHMARK_CAPTURE(draw_and_reward, tsallis, "tsallis", Settings{}, 10)->Apply(few_sizes);
BENCHMARK_CAPTURE(draw_and_reward, boltzmann, "boltzmann", Settings{})->Apply(few_sizes);
BENCHMARK_CAPTURE(draw_and_reward, ducb, "ducb", Settings{}, 10)->Apply(few_sizes);
BENCHMARK_CAPTURE(draw_and_reward, swucb, "swucb", Settings{}, 10)->Apply(few_sizes);
BENCHMARK_CAPTURE(draw_and_reward, thompson, "thompson", Settings{}, 1000)->Apply(few_sizes);
BENCHMARK_CAPTURE(draw_and_reward, corral, "corral", Settings{}, 1000)->Apply(few_sizes);

OrderedSlots full_slots(Noise& noise) {
  OrderedSlots slots(kCapacity);
  while (slots.size() < slots.capacity()) slots.push(noise.next());
  return slots;
}

void replace(benchmark::State& state) {
  Noise noise;
  OrderedSlots slots = full_slots(noise);
  std::uint32_t slot = 0;
  for (auto _ : state) slots.replace(slot++ * 7919u % kCapacity, noise.next());
}
BENCHMARK(replace);

void at_rank(benchmark::State& state) {
  Noise noise;
  const OrderedSlots slots = full_slots(noise);
  std::uint32_t rank = 0;
  for (auto _ : state) benchmark::DoNotOptimize(slots.at_rank(rank++ * 7919u % kCapacity));
}
BENCHMARK(at_rank);

}  // namespace
}  // namespace gradus
