// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/report/document.h"

namespace gradus::cli {

/// The report's table as aligned text.
std::string table_text(const report::Report& report);

/// The report's table and finding from its document, for --json. `file` is where the page is.
nlohmann::ordered_json table_json(const nlohmann::ordered_json& document, const std::string& file);

}  // namespace gradus::cli
