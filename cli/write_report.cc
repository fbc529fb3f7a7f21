// SPDX-License-Identifier: Apache-2.0
#include "cli/write_report.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "cli/next_step.h"
#include "cli/report_table.h"
#include "gradus/core/error.h"
#include "gradus/files/file.h"
#include "gradus/report/page.h"
#include "gradus/runs/find_runs.h"
#include "web/pages.h"

namespace gradus::cli {

namespace fs = std::filesystem;

std::vector<RunRecord> read_runs(const std::vector<std::string>& folders,
                                 std::vector<std::string>& notes) {
  std::vector<RunRecord> runs;
  std::vector<std::string> problems;
  for (const fs::path& run : find_runs(folders)) {
    auto record =
        read_unless_broken(run, [&](const std::string& problem) { problems.push_back(problem); });
    if (record) runs.push_back(std::move(*record));
  }
  if (runs.empty()) throw InputError(problems.front());
  for (const std::string& problem : problems) notes.push_back("left out: " + problem);
  return runs;
}

// Refuses devices, pipes and folders. If `path` is a symbolic link, replaces what it points to.
void write_page(const std::string& path, const nlohmann::ordered_json& document) {
  const std::string page = report::make_page(report_page(), document);
  const fs::path file = fs::weakly_canonical(path);
  if (fs::exists(file) && !fs::is_regular_file(file)) {
    throw InputError(path + ": is not a file, expected the name of an HTML file");
  }
  try {
    write_durably(file, page);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::no_space_on_device) throw;
    throw InputError(path + ": cannot write: " + error.code().message());
  }
}

namespace {

std::string command_of(const ReportRequest& request) {
  const report::ReportOptions& options = request.options;
  std::string command = "gradus report";
  for (const std::string& folder : request.folders) command += " " + quoted(folder);
  if (!options.title.empty()) command += " --title " + quoted(options.title);
  if (!options.measure.empty()) command += " --measure " + quoted(options.measure);
  if (options.threshold) command += fmt::format(" --threshold {}", *options.threshold);
  if (!options.baseline.empty()) command += " --baseline " + quoted(options.baseline);
  return command;
}

}  // namespace

void write_report(const ReportRequest& request) {
  report::ReportOptions options = request.options;
  options.command = command_of(request);
  std::vector<std::string> notes;
  report::Report report = report::make_report(read_runs(request.folders, notes), options);
  std::ranges::copy(notes, std::back_inserter(report.grouping.notes));
  const nlohmann::ordered_json document = report::document_of(report);
  write_page(request.out, document);
  for (const std::string& note : report.grouping.notes) fmt::print(stderr, "gradus: {}\n", note);
  if (request.json) return fmt::print("{}\n", table_json(document, request.out).dump(2));
  fmt::print("{}\n{}\n\nReport written to {}\n", table_text(report), report.finding, request.out);
}

}  // namespace gradus::cli
