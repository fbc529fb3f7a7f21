// SPDX-License-Identifier: Apache-2.0
// What a gain remembers. What is accepted can be saved and read again, and the gain can go on.

#include "gradus/core/gain.h"

#include <nlohmann/json.hpp>

#include "gradus/gains/gains.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  const auto json = nlohmann::json::parse(data, data + size, nullptr, false);
  if (json.is_discarded()) return 0;
  for (const GainEntry& entry : gain_list()) {
    GainSettings settings;
    settings.floors = {{"a", 0.1}};
    const auto gain = entry.make(settings);
    if (!fuzz::accepted([&] { return gain->restore(json), true; })) continue;
    const nlohmann::json saved = gain->save();
    const auto again = entry.make(settings);
    again->restore(saved);
    fuzz::require(again->save() == saved, entry.name + " is read as it was saved");
    for (const double loss : {2.0, 1.0, 0.5}) {
      gain->progress("a", {.loss_before = loss, .outputs = 1, .probe_before = loss});
    }
    gain->forget("a");
  }
  return 0;
}
