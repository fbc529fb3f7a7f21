// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/network/peak.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

#include <sched.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/network/peak.cc"
#include "gradus/nn/cpu/fast/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

// Runs twelve chains of multiply-adds and returns the number of operations. `seed` prevents the
// compiler from seeing that the chains are equal, `out` from removing them.
// NOLINTNEXTLINE(readability-identifier-naming)
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

// CPU time of this thread, unaffected by other programs on the machine.
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

// Puts two threads on different processors: otherwise a new thread may share its parent's for
// milliseconds. The destructor restores the calling thread's affinity.
class Places {
 public:
  Places() { sched_getaffinity(0, sizeof(all_), &all_); }
  ~Places() { sched_setaffinity(0, sizeof(all_), &all_); }

  // Binds the calling thread to number `n` of the processors that it may use. REQUIRES more than
  // `n` of them.
  void take(int n) const {
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all_) || n-- > 0) ++cpu;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof(one), &one);
  }

 private:
  cpu_set_t all_;
};

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
  constexpr int kTrips = 50'000;
  const Places places;
  alignas(64) std::atomic<int> ball{0};
  std::thread other([&] {
    places.take(1);
    for (int i = 1; i < 2 * kTrips; i += 2) {
      while (ball.load() != i) {
      }
      ball.store(i + 1);
    }
  });
  places.take(0);
  const auto trip = [&ball](int i) {
    ball.store(i + 1);
    while (ball.load() != i + 2) {
    }
  };
  trip(0);  // after this, the other thread is running
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 2; i < 2 * kTrips; i += 2) trip(i);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  other.join();
  return passed.count() / (kTrips - 1);
}

}  // namespace gradus::benchmarks
#endif
