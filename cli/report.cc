#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/report_table.h"
#include "gradus/core/error.h"
#include "gradus/report/document.h"
#include "gradus/report/page.h"
#include "gradus/report/page_template.h"
#include "gradus/runs/run_reader.h"

namespace gradus::cli {
namespace {

struct ReportCommand {
  std::vector<std::string> folders;
  std::string out = "report.html";
  report::ReportOptions options;
};

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
void write_atomically(const std::string& path, const std::string& text) {
  if (std::filesystem::is_directory(path)) {
    throw InputError(path + ": is a folder, expected the name of an HTML file");
  }
  const std::string part = path + "." + std::to_string(::getpid()) + ".part";
  std::ofstream file(part, std::ios::binary);
  if (!file) throw InputError(path + ": cannot write: " + std::strerror(errno));
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(part, path, error);
  if (file && !error) return;
  const std::string reason = error ? error.message() : std::strerror(errno);
  std::filesystem::remove(part, error);
  throw std::runtime_error(path + ": cannot write: " + reason);
}

void write_report(const ReportCommand& command) {
  const std::vector<RunRecord> runs = read_runs(command.folders);
  const report::Report report = report::make_report(runs, command.options);
  const std::string page = report::make_page(report::page_template(), report::document_of(report));
  write_atomically(command.out, page);
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
