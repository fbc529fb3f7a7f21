// SPDX-License-Identifier: Apache-2.0
// Times updates on request, so that compare.py can interleave engines. Reads a case as one line of
// JSON and answers with {"operations", "simd"}, or with {} if the engine is not available. Then
// answers each line: "update" with the wall-clock and CPU seconds per update, "peak" with
// operations per second, and "round trip" with the seconds that a cache line takes to another
// thread and back.

#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <iostream>
#include <string>

#include "benchmarks/network/engine.h"
#include "benchmarks/network/peak.h"
#include "gradus/nn/cpu/fast/products.h"

namespace gradus::benchmarks {
namespace {

// Run updates back to back for this long, as in training: after a pause, threads must first be
// woken.
constexpr double kLeastSeconds = 0.2;

void serve(std::istream& in, std::ostream& out) {
  std::string line;
  if (!std::getline(in, line)) return;
  const auto json = nlohmann::json::parse(line);
  const Case c = read_case(json);
  const Batch batch = make_case_batch(c);
  const auto engine =
      json["engine"] == "gradus" ? make_gradus_engine(c, batch) : make_onednn_engine(c, batch);
  if (!engine) {
    out << "{}" << std::endl;
    return;
  }
  engine->update();
  out << nlohmann::json{{"operations", useful_operations(c, batch)}, {"simd", fast::simd_name()}}
      << std::endl;
  while (std::getline(in, line)) {
    if (line == "round trip") {
      out << measure_round_trip() << std::endl;
      continue;
    }
    if (line == "peak") {
      out << measure_peak(c.threads) << std::endl;
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t processor = std::clock();
    std::chrono::duration<double> passed{};
    int updates = 0;
    for (; passed.count() < kLeastSeconds; ++updates) {
      engine->update();
      passed = std::chrono::steady_clock::now() - start;
    }
    const double on_processor = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
    out << passed.count() / updates << ' ' << on_processor / updates << std::endl;
  }
}

}  // namespace
}  // namespace gradus::benchmarks

int main() {
  try {
    gradus::benchmarks::serve(std::cin, std::cout);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "network_worker: %s\n", error.what());
    return 1;
  }
}
