#pragma once

#include <string_view>

namespace gradus {

/// This program's version, which CMakeLists.txt has.
std::string_view version();

}  // namespace gradus
