// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gradus/runs/settings.h"
#include "gradus/runs/toml_settings.h"
#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {

/// Requires that settings are read as they were written. Writes only those that are not the
/// defaults, which is faster than a whole config.
inline void require_round_trip(RunSettings settings) {
  RunSettings again;
  const std::vector<Setting> written = settings_of(settings);
  const std::vector<Setting> defaults = settings_of(again);
  std::string text;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const std::string value = value_text(written[i]);
    if (value != value_text(defaults[i])) text += written[i].key + " = " + value + "\n";
  }
  load_table(parse_toml(text, "written"), "", "written", settings_of(again));
  for (std::size_t i = 0; i < written.size(); ++i) {
    require(value_text(defaults[i]) == value_text(written[i]),
            "is read as it was written:\n" + text);
  }
}

}  // namespace gradus::fuzz
