// SPDX-License-Identifier: Apache-2.0
// What a gain remembers. What is accepted can be saved and read again, and the gain can go on.

#include "gradus/core/gain.h"

#include <nlohmann/json.hpp>

#include "gradus/gains/gains.h"
#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(gain)(const std::string& bytes) {
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  for (const GainEntry& entry : gain_list()) {
    GainSettings settings;
    settings.floors = {{"a", 0.1}};
    const auto gain = entry.make(settings);
    if (!accepted([&] { return gain->restore(json), true; })) continue;
    const nlohmann::json saved = gain->save();
    const auto again = entry.make(settings);
    again->restore(saved);
    require(again->save() == saved, entry.name + " is read as it was saved");
    for (const double loss : {2.0, 1.0, 0.5}) {
      gain->progress("a", {.loss_before = loss, .outputs = 1, .probe_before = loss});
    }
    gain->forget("a");
  }
}

}  // namespace gradus::fuzz
