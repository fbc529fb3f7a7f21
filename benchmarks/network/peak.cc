#include "benchmarks/network/peak.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/network/peak.cc"
#include "gradus/nn/cpu/fast/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

// Twelve chains of multiply-adds; returns the operations done. `seed` keeps the compiler from
// seeing that the chains are alike, `out` from leaving them out.
double MultiplyAdds(long rounds, const float* seed, float* out) {
  const FloatTag d;
  const Vec factor = hn::Set(d, seed[0]);
  const Vec term = hn::Set(d, seed[1]);
  Vec a = hn::Set(d, seed[2]), b = hn::Set(d, seed[3]), c = hn::Set(d, seed[4]);
  Vec e = hn::Set(d, seed[5]), f = hn::Set(d, seed[6]), g = hn::Set(d, seed[7]);
  Vec h = hn::Set(d, seed[8]), i = hn::Set(d, seed[9]), j = hn::Set(d, seed[10]);
  Vec k = hn::Set(d, seed[11]), l = hn::Set(d, seed[12]), m = hn::Set(d, seed[13]);
  for (long round = 0; round < rounds; ++round) {
    a = hn::MulAdd(a, factor, term), b = hn::MulAdd(b, factor, term);
    c = hn::MulAdd(c, factor, term), e = hn::MulAdd(e, factor, term);
    f = hn::MulAdd(f, factor, term), g = hn::MulAdd(g, factor, term);
    h = hn::MulAdd(h, factor, term), i = hn::MulAdd(i, factor, term);
    j = hn::MulAdd(j, factor, term), k = hn::MulAdd(k, factor, term);
    l = hn::MulAdd(l, factor, term), m = hn::MulAdd(m, factor, term);
  }
  const Vec sum = hn::Add(
      hn::Add(hn::Add(a, b), hn::Add(c, e)),
      hn::Add(hn::Add(hn::Add(f, g), hn::Add(h, i)), hn::Add(hn::Add(j, k), hn::Add(l, m))));
  hn::StoreU(sum, d, out);
  return 2.0 * 12 * kLanes * static_cast<double>(rounds);
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::fast {
HWY_EXPORT(MultiplyAdds);
double multiply_adds(long rounds, const float* seed, float* out) {
  return HWY_DYNAMIC_DISPATCH(MultiplyAdds)(rounds, seed, out);
}
}  // namespace gradus::fast

namespace gradus::benchmarks {
namespace {

// Time on a processor, which neighbours on a shared machine do not lengthen.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double peak_of_one() {
  volatile float start = 1;
  float seed[14];
  for (float& number : seed) number = start;
  float out[fast::kBlock];
  const double begin = thread_seconds();
  const double done = fast::multiply_adds(3'000'000, seed, out);
  const double passed = thread_seconds() - begin;
  start = out[0];
  return done / passed;
}

}  // namespace

double measure_peak(int threads) {
  std::vector<double> peaks(threads);
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) {
    others.emplace_back([&peaks, i] { peaks[i] = peak_of_one(); });
  }
  peaks[0] = peak_of_one();
  for (std::thread& other : others) other.join();
  double sum = 0;
  for (const double peak : peaks) sum += peak;
  return sum;
}

double measure_round_trip() {
  constexpr int kTrips = 100'000;
  alignas(64) std::atomic<int> ball{0};
  std::thread other([&ball] {
    for (int i = 1; i < 2 * kTrips; i += 2) {
      while (ball.load() != i) {
      }
      ball.store(i + 1);
    }
  });
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 2 * kTrips; i += 2) {
    ball.store(i + 1);
    while (ball.load() != i + 2) {
    }
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  other.join();
  return passed.count() / kTrips;
}

}  // namespace gradus::benchmarks
#endif
