// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/version.h"

namespace gradus {

std::string_view version() {
  return GRADUS_VERSION;
}

}  // namespace gradus
