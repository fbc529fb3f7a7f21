// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gradus {

/// The version of Gradus, as set in CMakeLists.txt.
std::string_view version();

}  // namespace gradus
