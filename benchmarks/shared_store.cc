// SPDX-License-Identifier: Apache-2.0
// Three ways to store a run, as it grows: with a write-ahead log, as on a local disk; with a
// rollback journal; and as a whole file that is replaced, as on a shared disk. Prints the median
// time to store one evaluation after some numbers of them.
//   build/dev/benchmarks/shared_store [FOLDER [EVALUATIONS]]

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_store.h"

namespace {

using namespace gradus;
using Access = Database::Access;

struct Way {
  Access access;
  const char* pragmas;
};

// A rollback journal is synced at every commit. The others are synced by sync().
constexpr std::array<Way, 3> kWays = {
    Way{Access::kWrite, ""},
    Way{Access::kWrite, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL"},
    Way{Access::kPublish, ""},
};
constexpr std::array kCounts = {100, 300, 1000, 3000};

void add_evaluation(Database& database, int steps, int tasks) {
  Transaction transaction(database);
  Statement(database, "INSERT INTO metrics (steps, rounds, refused) VALUES (?, 0, 0)")
      .bind(1, std::int64_t{steps})
      .run();
  Statement row(database, "INSERT INTO task_metrics VALUES (?, ?, ?, ?, ?)");
  for (int task = 0; task < tasks; ++task) {
    row.bind(1, std::int64_t{steps}).bind(2, std::int64_t{task});
    for (int column = 3; column <= 5; ++column) row.bind(column, 1.0 / (task + column));
    row.run();
  }
  transaction.commit();
  if (database.publishes()) database.sync();
}

// Milliseconds per evaluation: the median of the last 50 before each of kCounts.
std::vector<double> measure(const Way& way, const std::filesystem::path& folder, int tasks,
                            int evaluations) {
  std::filesystem::create_directories(folder);
  { const RunStore schema(folder, "local"); }
  Database database(database_file(folder), way.access);
  database.execute(way.pragmas);
  std::vector<double> medians;
  std::vector<double> times;
  for (int i = 1; i <= evaluations; ++i) {
    const auto start = std::chrono::steady_clock::now();
    add_evaluation(database, i, tasks);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    times.push_back(spent.count());
    if (std::ranges::find(kCounts, i) == kCounts.end()) continue;
    std::ranges::nth_element(times.end() - 50, times.end() - 25, times.end());
    medians.push_back(*(times.end() - 25));
  }
  return medians;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "build/shared_store_benchmark";
  const int evaluations = argc > 2 ? std::atoi(argv[2]) : kCounts.back();
  std::printf("tasks  evaluations  MB     write-ahead  rollback journal  whole file\n");
  for (const int tasks : {20, 169}) {
    std::array<std::vector<double>, kWays.size()> times;
    for (std::size_t i = 0; i < kWays.size(); ++i) {
      times[i] = measure(kWays[i], folder / std::to_string(i), tasks, evaluations);
    }
    const double size = static_cast<double>(file_size(database_file(folder / "2"))) / 1e6;
    for (std::size_t i = 0; i < times[0].size(); ++i) {
      std::printf("%5d  %11d  %5.2f  %8.2f ms  %13.2f ms  %7.2f ms\n", tasks, kCounts[i],
                  size * kCounts[i] / evaluations, times[0][i], times[1][i], times[2][i]);
    }
    std::fflush(stdout);
    std::filesystem::remove_all(folder);
  }
}
