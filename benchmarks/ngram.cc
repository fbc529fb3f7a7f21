// SPDX-License-Identifier: Apache-2.0
// Costs of the n-gram curriculum without a cache: ngram_benchmark [CORPUS]. The default corpus is
// the King James Bible.

#include "gradus/curricula/ngram/ngram.h"

#include <chrono>
#include <cstdio>
#include <exception>

#include <sys/resource.h>

#include "gradus/curricula/ngram/models.h"

namespace gradus {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <typename Work>
auto timed(const char* what, Work work) {
  const Clock::time_point start = Clock::now();
  auto result = work();
  std::printf("%-48s %8.3f s\n", what, seconds_since(start));
  return result;
}

void print_peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%-48s %8.0f MB\n", "peak memory", usage.ru_maxrss / 1024.0);
}

void print_table(const NgramCorpus& corpus, const NgramCounts& counts, const NgramDataSets& sets) {
  std::printf("\norder    n-grams  discount  bits/char: corpus  own held-out set\n");
  for (int order = 0; order <= counts.max_order(); ++order) {
    const KneserNey model(counts, order);
    const auto held_out = sets.set(order, Split::kHeldOut);
    const double corpus_bits = model.bits(corpus.symbols) / corpus.symbols.size();
    const double own_bits = model.bits(held_out) / held_out.size();
    const NgramLevel& level = counts.level(order);
    std::printf("%5d %10u  %8.4f  %17.4f  %16.4f\n", order, level.size(), level.count_discount,
                corpus_bits, own_bits);
  }
}

void print_sampling_rate(const NgramSettings& settings) {
  const Ngram ngram =
      timed("make the curriculum (counts from the cache)", [&] { return Ngram(settings); });
  timed("make the curriculum (data sets from the cache)", [&] { return Ngram(settings).tasks(); });
  constexpr int kBatches = 20000;
  Random random(1, Purpose::kTrainingBatch, 0);
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < kBatches; ++i) ngram.sample(i % 11, 32, Split::kTraining, random);
  std::printf("%-48s %8.0f sequences/s\n", "sample() in batches of 32",
              32 * kBatches / seconds_since(start));
}

void run(const NgramSettings& settings) {
  const NgramCorpus corpus = timed("read the corpus", [&] { return load_corpus(settings.corpus); });
  const NgramCounts counts = timed("count (all models)", [&] {
    return NgramCounts(corpus.symbols, corpus.alphabet.size(), settings.max_order);
  });
  const NgramDataSets sets =
      timed("generate the data sets", [&] { return NgramDataSets(counts, settings); });
  print_peak_memory();
  const NgramCache cache(settings.cache, nullptr);
  timed("count and write to the cache",
        [&] { return load_counts(corpus, settings.max_order, cache); });
  timed("counts from the cache", [&] { return load_counts(corpus, settings.max_order, cache); });
  print_sampling_rate(settings);
  print_table(corpus, counts, sets);
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  char folder[] = "/tmp/gradus_ngram_benchmark.XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  int status = 0;
  try {
    gradus::run({.corpus = argc > 1 ? argv[1] : "", .cache = folder});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  std::filesystem::remove_all(folder);
  return status;
}
