// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gradus/report/document.h"

namespace gradus::cli {

struct ReportRequest {
  std::vector<std::string> folders;  ///< of runs, sweeps or records
  std::string out = "report.html";
  bool json = false;  ///< print the table as JSON
  report::ReportOptions options;
};

/// Writes the page and prints its table. Throws InputError if there are no runs, they cannot be
/// compared, or the file cannot be written.
void write_report(const ReportRequest& request);

}  // namespace gradus::cli
