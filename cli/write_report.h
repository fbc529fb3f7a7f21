#pragma once

#include <string>
#include <vector>

#include "gradus/report/document.h"

namespace gradus::cli {

struct ReportRequest {
  std::vector<std::string> folders;  ///< of runs, or of sweeps
  std::string out = "report.html";
  report::ReportOptions options;
};

/// Writes the page and prints its table. Throws InputError where there are no runs, or they cannot
/// be compared, or the file cannot be made.
void write_report(const ReportRequest& request);

}  // namespace gradus::cli
