#pragma once

#include <string_view>

namespace gradus::report {

/// The bundled page of web/report, which make_page() takes.
std::string_view page_template();

}  // namespace gradus::report
