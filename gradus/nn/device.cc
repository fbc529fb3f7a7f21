// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/device.h"

#include <algorithm>

#include "gradus/core/error.h"

namespace gradus {

const std::vector<std::string>& device_names() {
  static const std::vector<std::string> names = {"cpu", "cuda"};
  return names;
}

const std::vector<std::string>& precision_names() {
  static const std::vector<std::string> names = {"fp16", "fp32"};
  return names;
}

Precision parse_precision(const std::string& name) {
  const auto& names = precision_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw_unknown("precision", name, names);
  return static_cast<Precision>(found - names.begin());
}

}  // namespace gradus
