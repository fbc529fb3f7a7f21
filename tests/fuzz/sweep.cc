// SPDX-License-Identifier: Apache-2.0
// The config of a sweep. Every run has a name of its own that can name a folder, and a config that
// can be read again.

#include <algorithm>
#include <set>

#include "gradus/runs/sweep_grid.h"
#include "tests/fuzz/names_folder.h"
#include "tests/fuzz/settings_round_trip.h"

namespace gradus {
namespace {

// Limits the number of runs, which multiply: 8 commas make 256 runs at most.
constexpr std::ptrdiff_t kMostCommas = 8;

}  // namespace
}  // namespace gradus

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  const std::string text = fuzz::text_of(data, size);
  if (std::ranges::count(text, ',') > kMostCommas) return 0;
  const auto runs = fuzz::accepted([&] { return parse_sweep(text, "fuzzed", {}); });
  if (!runs) return 0;
  std::set<std::string> names;
  for (const auto& [name, settings] : *runs) {
    fuzz::require(fuzz::names_folder(name), "\"" + name + "\" can name a folder");
    fuzz::require(names.insert(name).second, "no other run is named \"" + name + "\"");
    fuzz::require_round_trip(settings);
  }
  return 0;
}
