// SPDX-License-Identifier: Apache-2.0
// The config of a sweep. Every run has a name of its own that can name a folder, and a config that
// can be read again.

#include <algorithm>
#include <set>

#include "gradus/curricula/utf8.h"
#include "gradus/runs/sweep_grid.h"
#include "tests/fuzz/settings_round_trip.h"

namespace gradus {
namespace {

// Limits the number of runs, which multiply: 8 commas make 256 runs at most.
constexpr std::ptrdiff_t kMostCommas = 8;

bool names_folder(const std::string& name) {
  return !name.empty() && name.size() < 256 && name != "." && name != ".." &&
         name.find('/') == std::string::npos && name.find('\0') == std::string::npos &&
         find_invalid_utf8(name) == std::string::npos;
}

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
    fuzz::require(names_folder(name), "\"" + name + "\" can name a folder");
    fuzz::require(names.insert(name).second, "no other run is named \"" + name + "\"");
    fuzz::require_round_trip(settings);
  }
  return 0;
}
