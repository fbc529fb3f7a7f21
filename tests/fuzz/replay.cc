// SPDX-License-Identifier: Apache-2.0
// A CSV log of progress. Whatever it has, the policy stays a distribution.

#include "gradus/runs/replay.h"

#include <cmath>
#include <numeric>

#include "gradus/bandit/make_syllabus.h"
#include "tests/fuzz/fuzz.h"
#include "tests/temporary_folder.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(replay)(const std::string& bytes) {
  static const testing::TemporaryFolder folder;
  std::filesystem::remove(folder.path("log.csv"));  // faster than to truncate it
  const std::string file = folder.write("log.csv", bytes);
  const auto log = accepted([&] { return read_replay_log(file); });
  if (!log) return;
  for (const char* policy : {"exp3s", "exp3"}) {
    Syllabus syllabus = make_syllabus({"a", "b", "c"}, {.policy = policy});
    for (const ReplayRow& row : log->rows) {
      accepted([&] {
        replay({.rows = {row}}, syllabus, [](const ReplayedRound&) {});
        return true;
      });
    }
    const std::vector<double> p = syllabus.probabilities();
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    require(std::abs(sum - 1) < 1e-9, std::string(policy) + " sums to 1");
  }
}

}  // namespace gradus::fuzz
