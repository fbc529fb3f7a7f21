// SPDX-License-Identifier: Apache-2.0
// Settings of the command line, one key=value per line. What is accepted can be written to a config
// and read from it.

#include <sstream>

#include "gradus/runs/settings.h"
#include "tests/fuzz/settings_round_trip.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(overrides)(const std::string& bytes) {
  std::istringstream lines(bytes);
  RunSettings settings;
  for (std::string line; std::getline(lines, line);) {
    accepted([&] { return apply_override(line, settings_of(settings)), true; });
  }
  require_round_trip(settings);
}

}  // namespace gradus::fuzz
