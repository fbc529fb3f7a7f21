// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace gradus::report {

/// The page with the document inserted: one self-contained HTML file. `page_template` must contain
/// the marker @DOCUMENT@ inside a <script type="application/json">.
std::string make_page(std::string_view page_template, const nlohmann::ordered_json& document);

}  // namespace gradus::report
