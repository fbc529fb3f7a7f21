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

/// The runs in the folders that can be read, each once. One that cannot gets a note. Throws
/// InputError if a folder contains none, or no run can be read.
std::vector<RunRecord> read_runs(const std::vector<std::string>& folders,
                                 std::vector<std::string>& notes);

/// Writes the page that draws `document`. Replaces an existing page atomically. Throws InputError
/// if the file cannot be written.
void write_page(const std::string& path, const nlohmann::ordered_json& document);

/// Writes the page and prints its table. Throws InputError if there are no runs, they cannot be
/// compared, or the file cannot be written.
void write_report(const ReportRequest& request);

}  // namespace gradus::cli
