// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gradus {

/// The bundled page of web/report, the template for report::make_page().
std::string_view report_page();

/// The bundled page of web/serve.
std::string_view serve_page();

}  // namespace gradus
