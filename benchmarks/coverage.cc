// SPDX-License-Identifier: Apache-2.0
// How often the report's 95% interval contains the true speed-up, by simulation: the table of
// docs/report.md. The optional argument is the number of simulations per cell.

#include "tests/report/coverage.h"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace gradus::report;

// A cell also shows the percentage of pairs that had an interval, unless all had one.
void print_cell(const MadeUpPair& pair, int simulations) {
  const Coverage coverage = simulate_coverage(pair, simulations);
  std::printf(" %.1f", 100 * coverage.share());
  const double given = 100.0 * coverage.intervals / simulations;
  if (given < 99.5) std::printf(" (%.0f)", given);
  std::printf(" |");
}

void print_row(int baseline_runs, int runs, double baseline_deviation, bool skewed,
               int simulations) {
  std::printf("| %d, %d | %g : 1%s |", baseline_runs, runs, baseline_deviation,
              skewed ? ", skewed" : "");
  const double shares[][2] = {{0, 0}, {0.1, 0}, {0.3, 0}, {0.1, 0.1}, {0.3, 0.3}};
  for (const auto& [baseline, arm] : shares) {
    print_cell({{baseline_runs, baseline_deviation, baseline}, {runs, 1, arm}, skewed, false},
               simulations);
  }
  print_cell({{baseline_runs, baseline_deviation, 0.3}, {runs, 1, 0.3}, skewed, true}, simulations);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int simulations = argc > 1 ? std::atoi(argv[1]) : 20'000;
  std::printf(
      "| runs | deviations | none | 10%%, 0 | 30%%, 0 | 10%%, 10%% | 30%%, 30%% | staggered |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const int runs : {3, 5, 10}) {
    for (const double deviation : {1.0, 3.0}) print_row(runs, runs, deviation, false, simulations);
    print_row(runs, runs, 3, true, simulations);
  }
  print_row(3, 10, 1, false, simulations);
  print_row(3, 10, 3, false, simulations);
}
