// SPDX-License-Identifier: Apache-2.0
// The config of a single run. What is read can be written and read again.

#include "gradus/runs/settings.h"

#include "gradus/runs/toml_settings.h"
#include "tests/fuzz/settings_round_trip.h"

namespace gradus::fuzz {
namespace {

RunSettings read(const std::string& text) {
  toml::table config = parse_toml(text, "fuzzed");
  config.erase("sweep");
  return make_settings(config, "fuzzed", {});
}

}  // namespace

GRADUS_FUZZ_TARGET(settings)(const std::string& bytes) {
  const auto settings = accepted([&] { return read(bytes); });
  if (settings) require_round_trip(*settings);
}

}  // namespace gradus::fuzz
