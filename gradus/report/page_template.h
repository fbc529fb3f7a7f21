// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gradus::report {

/// The bundled page of web/report, the template for make_page().
std::string_view page_template();

}  // namespace gradus::report
