// SPDX-License-Identifier: Apache-2.0
// How fast batches are generated, in sequences per second for each curriculum, which share of their
// steps is input rather than padding, and how long a learner waits for its next batch, with and
// without prefetching.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

#include "gradus/core/prefetching_source.h"
#include "gradus/curricula/babi/babi.h"
#include "gradus/curricula/files/files.h"
#include "gradus/curricula/ngram/ngram.h"
#include "gradus/curricula/repeat_copy.h"

namespace gradus {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBatchSize = 32;
// A training step on a fast GPU: 32 sequences of 60 steps at two million steps per second.
constexpr auto kTrainingStep = std::chrono::milliseconds(1);

BatchSource plain(const Curriculum& curriculum, int batch_size = kBatchSize) {
  return {curriculum, Purpose::kTrainingBatch, Split::kTraining, batch_size, 1};
}

void generate(benchmark::State& state, const Curriculum& curriculum, int batch_size) {
  BatchSource source = plain(curriculum, batch_size);
  Random random(1, Purpose::kPolicyDraw, 0);
  const auto tasks = static_cast<std::uint32_t>(curriculum.tasks().size());
  std::int64_t steps = 0;
  std::int64_t places = 0;
  for (auto _ : state) {
    const Batch batch = source.next(static_cast<int>(random.below(tasks)));
    steps += batch.input_steps();
    places += std::int64_t{batch.steps} * batch.sequences;
    benchmark::DoNotOptimize(batch.targets.data());
  }
  const auto sequences = static_cast<double>(state.iterations() * batch_size);
  state.counters["sequences"] = benchmark::Counter(sequences, benchmark::Counter::kIsRate);
  state.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  state.counters["filled"] = static_cast<double>(steps) / static_cast<double>(places);
}

// Time spent in next(), with tasks drawn uniformly. Between calls there is a training step during
// which the caller's core is idle, as with a GPU (sleep), or busy, as with the CPU back end (spin).
void wait(benchmark::State& state, const Curriculum& curriculum, int prefetch, bool spin) {
  PrefetchingSource source(plain(curriculum), prefetch);
  Random random(1, Purpose::kPolicyDraw, 0);
  const auto tasks = static_cast<std::uint32_t>(curriculum.tasks().size());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  for (auto _ : state) {
    const auto start = Clock::now();
    const Batch batch = source.next(static_cast<int>(random.below(tasks)));
    const auto end = Clock::now();
    state.SetIterationTime(std::chrono::duration<double>(end - start).count());
    if (!spin) std::this_thread::sleep_for(kTrainingStep);
    while (spin && Clock::now() < end + kTrainingStep) {
    }
  }
  const auto share = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(state.iterations());
  };
  state.counters["ready"] = share(source.tally().ready);
}

// A text of a million letters, in a folder that is removed with this object.
class LetterFolder {
 public:
  LetterFolder() : path_(std::filesystem::temp_directory_path() / "gradus-batches-benchmark") {
    std::filesystem::create_directories(path_);
    std::ofstream file(path_ / "letters.txt");
    Random random(1, Purpose::kDataSet, 0);
    for (int i = 0; i < 1'000'000; ++i) file << static_cast<char>('a' + random.below(26));
  }
  LetterFolder(const LetterFolder&) = delete;
  LetterFolder& operator=(const LetterFolder&) = delete;
  ~LetterFolder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }
  std::string file() const { return (path_ / "letters.txt").string(); }

 private:
  std::filesystem::path path_;
};

void register_all(const Curriculum& curriculum) {
  const std::string name(curriculum.name());
  for (const int batch_size : {16, kBatchSize}) {
    benchmark::RegisterBenchmark(
        ("generate/" + name + "/" + std::to_string(batch_size)).c_str(),
        [&curriculum, batch_size](auto& state) { generate(state, curriculum, batch_size); });
  }
  for (const bool spin : {false, true}) {
    for (const int prefetch : {0, kDefaultPrefetch}) {
      const std::string label =
          "wait/" + name + (spin ? "/busy" : "/idle") + (prefetch == 0 ? "/plain" : "/ahead");
      benchmark::RegisterBenchmark(
          label.c_str(),
          [&curriculum, prefetch, spin](auto& state) { wait(state, curriculum, prefetch, spin); })
          ->UseManualTime()
          ->Iterations(500);
    }
  }
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  using namespace gradus;
  benchmark::Initialize(&argc, argv);
  const LetterFolder letters;
  std::vector<std::unique_ptr<Curriculum>> curricula;
  curricula.push_back(std::make_unique<RepeatCopy>(RepeatCopySettings{}));
  curricula.push_back(std::make_unique<Files>(FilesSettings{.path = letters.path()}));
  curricula.push_back(std::make_unique<Babi>(BabiSettings{}));
  // Small models: drawing from the data sets takes the same time, whatever model generated them.
  NgramSettings ngram;
  ngram.corpus = letters.file();
  ngram.max_order = 3;
  ngram.cache = "none";
  curricula.push_back(std::make_unique<Ngram>(ngram));
  for (const auto& curriculum : curricula) register_all(*curriculum);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
