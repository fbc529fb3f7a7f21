// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace gradus {

/// Whether the package bible-kjv is installed.
inline bool has_bible() {
  return std::system("command -v bible >/dev/null 2>&1") == 0;
}

}  // namespace gradus
