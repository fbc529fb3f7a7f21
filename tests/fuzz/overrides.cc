// SPDX-License-Identifier: Apache-2.0
// Settings of the command line, one key=value per line. What is accepted can be written to a config
// and read from it.

#include <sstream>

#include "gradus/runs/settings.h"
#include "tests/fuzz/settings_round_trip.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  std::istringstream lines(fuzz::text_of(data, size));
  RunSettings settings;
  for (std::string line; std::getline(lines, line);) {
    fuzz::accepted([&] { return apply_override(line, settings), true; });
  }
  fuzz::require_round_trip(settings);
  return 0;
}
