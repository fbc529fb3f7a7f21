// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/numbers.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace gradus::report {

nlohmann::ordered_json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  const double short_value = std::strtod(text, nullptr);
  const bool whole = short_value == std::floor(short_value) && std::abs(short_value) < 1e15;
  if (whole) return static_cast<std::int64_t>(short_value);
  return short_value;
}

nlohmann::ordered_json rounded(std::span<const double> values) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

}  // namespace gradus::report
