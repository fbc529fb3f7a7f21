// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/page_template.h"

// Defined in page_template.S.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" const char gradus_page_template[];
extern "C" const char gradus_page_template_end[];
// NOLINTEND(readability-identifier-naming)

namespace gradus::report {

std::string_view page_template() {
  return {gradus_page_template, gradus_page_template_end};
}

}  // namespace gradus::report
