// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/files/utf8.h"

namespace gradus::fuzz {

/// Whether a run of this name can have a folder of its own in that of its sweep.
inline bool names_folder(const std::string& name) {
  return !name.empty() && name.size() < 256 && name != "." && name != ".." &&
         name.find('/') == std::string::npos && name.find('\0') == std::string::npos &&
         find_invalid_utf8(name) == std::string::npos;
}

}  // namespace gradus::fuzz
