#include "cli/write_report.h"

#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "cli/report_table.h"
#include "gradus/core/durable_file.h"
#include "gradus/core/error.h"
#include "gradus/report/page.h"
#include "gradus/report/page_template.h"
#include "gradus/runs/run_reader.h"

namespace gradus::cli {
namespace {

// A folder named twice, or inside another that is named, counts once.
std::vector<RunRecord> read_runs(const std::vector<std::string>& folders) {
  std::set<std::filesystem::path> seen;
  std::vector<RunRecord> runs;
  for (const std::string& folder : folders) {
    const std::vector<std::filesystem::path> found = find_runs(folder);
    if (found.empty()) throw InputError(folder + ": holds no runs");
    for (const std::filesystem::path& run : found) {
      if (seen.insert(std::filesystem::weakly_canonical(run)).second) runs.push_back(read_run(run));
    }
  }
  return runs;
}

// Whoever reads the report while it is written again sees the old one or the new one.
void write_page(const std::string& path, const std::string& page) {
  if (std::filesystem::is_directory(path)) {
    throw InputError(path + ": is a folder, expected the name of an HTML file");
  }
  try {
    write_durably(path, page);
  } catch (const std::system_error& error) {
    throw InputError(path + ": cannot write: " + error.code().message());
  }
}

}  // namespace

void write_report(const ReportRequest& request) {
  const std::vector<RunRecord> runs = read_runs(request.folders);
  const report::Report report = report::make_report(runs, request.options);
  write_page(request.out, report::make_page(report::page_template(), report::document_of(report)));
  for (const std::string& note : report.grouping.notes) fmt::print(stderr, "gradus: {}\n", note);
  fmt::print("{}\nThe report: {}\n", table_text(report), request.out);
}

}  // namespace gradus::cli
