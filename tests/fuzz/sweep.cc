// SPDX-License-Identifier: Apache-2.0
// The config of a sweep. Every run has a name of its own that can name a folder, and a config that
// can be read again.

#include <algorithm>
#include <set>

#include "gradus/runs/sweep_grid.h"
#include "tests/fuzz/names_folder.h"
#include "tests/fuzz/settings_round_trip.h"

namespace gradus::fuzz {
namespace {

// Limits the number of runs, which multiply: 8 commas make 256 runs at most.
constexpr std::ptrdiff_t kMostCommas = 8;

}  // namespace

GRADUS_FUZZ_TARGET(sweep)(const std::string& text) {
  if (std::ranges::count(text, ',') > kMostCommas) return;
  const auto runs = accepted([&] { return parse_sweep(text, "fuzzed", {}); });
  if (!runs) return;
  std::set<std::string> names;
  for (const auto& [name, settings] : *runs) {
    require(names_folder(name), "\"" + name + "\" can name a folder");
    require(names.insert(name).second, "no other run is named \"" + name + "\"");
    require_round_trip(settings);
  }
}

}  // namespace gradus::fuzz
