// SPDX-License-Identifier: Apache-2.0
// The config of a single run. What is read can be written and read again.

#include "gradus/runs/settings.h"

#include "gradus/runs/toml_settings.h"
#include "tests/fuzz/settings_round_trip.h"

namespace gradus {
namespace {

RunSettings read(const std::string& text) {
  toml::table config = parse_toml(text, "fuzzed");
  config.erase("sweep");
  return make_settings(config, "fuzzed", {});
}

}  // namespace
}  // namespace gradus

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  const auto settings = fuzz::accepted([&] { return read(fuzz::text_of(data, size)); });
  if (settings) fuzz::require_round_trip(*settings);
  return 0;
}
