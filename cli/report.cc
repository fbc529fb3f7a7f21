#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/report_table.h"
#include "gradus/core/durable_file.h"
#include "gradus/core/error.h"
#include "gradus/report/document.h"
#include "gradus/report/page.h"
#include "gradus/report/page_template.h"
#include "gradus/runs/run_reader.h"

namespace gradus::cli {
namespace {

namespace fs = std::filesystem;

struct ReportCommand {
  std::vector<std::string> folders;
  std::string out = "report.html";
  report::ReportOptions options;
};

// A folder named twice, or inside another that is named, counts once.
std::vector<RunRecord> read_runs(const std::vector<std::string>& folders) {
  std::set<fs::path> seen;
  std::vector<RunRecord> runs;
  for (const std::string& folder : folders) {
    const std::vector<fs::path> found = find_runs(folder);
    if (found.empty()) throw InputError(folder + ": holds no run (there is no run.db)");
    for (const fs::path& run : found) {
      if (seen.insert(fs::weakly_canonical(run)).second) runs.push_back(read_run(run));
    }
  }
  return runs;
}

// The new page replaces the old one in one go. A device, a pipe or a folder cannot be replaced, and
// a link stays one: what it points to is replaced.
void write_page(const std::string& path, const std::string& page) {
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

void write_report(const ReportCommand& command) {
  const std::vector<RunRecord> runs = read_runs(command.folders);
  const report::Report report = report::make_report(runs, command.options);
  const std::string page = report::make_page(report::page_template(), report::document_of(report));
  write_page(command.out, page);
  for (const std::string& note : report.grouping.notes) fmt::print(stderr, "gradus: {}\n", note);
  fmt::print("{}\nThe report: {}\n", table_text(report), command.out);
}

}  // namespace

void add_report(CLI::App& app) {
  auto options = std::make_shared<ReportCommand>();
  CLI::App* command = app.add_subcommand(
      "report", "Compare runs: a table, and the paper's figures in one HTML file");
  command
      ->add_option("folders", options->folders,
                   "folders of runs, or of sweeps; runs may still be going on")
      ->required()
      ->type_name("DIR...");
  command->add_option("-o,--out", options->out, "the file to write")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--title", options->options.title, "heading; by default the curriculum");
  command->add_option("--measure", options->options.measure,
                      "what runs are compared by: target_loss, mean_loss, tasks_completed, ...; by "
                      "default the target's loss where there is a target");
  command->add_option("--threshold", options->options.threshold,
                      "value of the measure to reach; by default 0.1 nats for repeat copy, or else "
                      "what every run of uniform sampling has come to");
  command->footer(
      "Runs are grouped by signal, and by whatever else they differ in besides the seed. The file\n"
      "needs no network and nothing beside it. docs/report.md says how each number is computed.");
  command->callback([options] { write_report(*options); });
}

}  // namespace gradus::cli
