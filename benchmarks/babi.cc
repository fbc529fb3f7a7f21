// SPDX-License-Identifier: Apache-2.0
// How fast stories are generated, for each bAbI task: as text, and as batches of 16 for a network.

#include "gradus/curricula/babi/babi.h"

#include <ctime>
#include <functional>

#include <benchmark/benchmark.h>

namespace gradus {
namespace {

constexpr int kBatch = 16;

void stories_as_text(benchmark::State& state, const Babi& curriculum, int task) {
  std::uint64_t index = 0;
  const std::clock_t start = std::clock();
  for (auto _ : state) {
    Random random(1, Purpose::kSample, index++, static_cast<std::uint32_t>(task));
    benchmark::DoNotOptimize(curriculum.describe(task, random));
  }
  // Measured in the time of one core, per minute: the library's own rates are per second.
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  state.counters["stories/minute"] = 60.0 * static_cast<double>(index) / seconds;
}

void sampled_batches(benchmark::State& state, const Babi& curriculum, int task) {
  std::uint64_t index = 0;
  std::int64_t steps = 0;
  for (auto _ : state) {
    Random random(1, Purpose::kTrainingBatch, index++, static_cast<std::uint32_t>(task));
    steps += curriculum.sample(task, kBatch, Split::kTraining, random).input_steps();
  }
  state.counters["sequences/s"] = benchmark::Counter(
      static_cast<double>(kBatch * state.iterations()), benchmark::Counter::kIsRate);
  state.counters["input_steps/s"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  const gradus::Babi p({.variant = gradus::babi::Variant::kP});
  const gradus::Babi h({.variant = gradus::babi::Variant::kH});
  for (int task = 0; task < gradus::babi::kTaskCount; ++task) {
    for (const auto& [variant, curriculum] : {std::pair("P", &p), std::pair("H", &h)}) {
      const std::string name = std::string(variant) + "/" + p.tasks()[task];
      benchmark::RegisterBenchmark(("babi_text/" + name).c_str(), gradus::stories_as_text,
                                   std::cref(*curriculum), task);
      benchmark::RegisterBenchmark(("babi_sample/" + name).c_str(), gradus::sampled_batches,
                                   std::cref(*curriculum), task);
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
