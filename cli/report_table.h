// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/report/document.h"

namespace gradus::cli {

/// The report's table as aligned text.
std::string table_text(const report::Report& report);

}  // namespace gradus::cli
