// SPDX-License-Identifier: Apache-2.0
// A CSV log of progress. Whatever it has, the policy stays a distribution.

#include "gradus/runs/replay.h"

#include <cmath>
#include <numeric>

#include "gradus/bandit/make_syllabus.h"
#include "tests/fuzz/fuzz.h"
#include "tests/temporary_folder.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  static const testing::TemporaryFolder folder;
  std::filesystem::remove(folder.path("log.csv"));  // faster than to truncate it
  const std::string file = folder.write("log.csv", fuzz::text_of(data, size));
  const auto log = fuzz::accepted([&] { return read_replay_log(file); });
  if (!log) return 0;
  for (const char* policy : {"exp3s", "exp3"}) {
    Syllabus syllabus = make_syllabus({"a", "b", "c"}, {.policy = policy});
    for (const ReplayRow& row : log->rows) {
      fuzz::accepted([&] {
        replay({.rows = {row}}, syllabus, [](const ReplayedRound&) {});
        return true;
      });
    }
    const std::vector<double> p = syllabus.probabilities();
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    fuzz::require(std::abs(sum - 1) < 1e-9, std::string(policy) + " sums to 1");
  }
  return 0;
}
