// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/export.h"

#include <filesystem>
#include <functional>
#include <sstream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "gradus/core/error.h"
#include "gradus/files/file.h"
#include "gradus/runs/find_runs.h"
#include "gradus/runs/record_file.h"

namespace gradus::cli {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::string folder;
  std::string format;
  std::string out;
};

const std::vector<std::string>& formats() {
  static const std::vector<std::string> names = {"csv", "jsonl", "record", "tensorboard"};
  return names;
}

void write_file(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  std::ostringstream text;
  write(text);
  write_durably(file, text.str());
  fmt::print("{}\n", file.string());
}

void export_record(const RunRecord& record, const fs::path& file) {
  fs::create_directories(file.parent_path());
  write_record(record, file);
  fmt::print("{}\n", file.string());
}

void export_run(const RunRecord& record, const fs::path& out, const std::string& format) {
  fs::create_directories(out);
  if (format == "csv") {
    write_file(out / "metrics.csv", [&](std::ostream& s) { write_metrics_csv(record, s); });
    write_file(out / "tasks.csv", [&](std::ostream& s) { write_tasks_csv(record, s); });
  } else if (format == "jsonl") {
    write_file(out / "run.jsonl", [&](std::ostream& s) { write_jsonl(record, s); });
  } else {
    // TensorBoard recognises its files by "tfevents" in the name.
    const fs::path file = out / fmt::format("events.out.tfevents.{}.gradus", record.started);
    write_file(file, [&](std::ostream& s) { write_tensorboard(record, s); });
  }
}

// "." if the folder is the run itself.
fs::path name_within(const fs::path& run, const fs::path& folder) {
  std::string name = fs::relative(run, folder).string();
  if (name.ends_with(kRecordSuffix)) name.resize(name.size() - kRecordSuffix.size());
  return name;
}

void write_run(const RunRecord& record, const fs::path& out, const ExportOptions& options) try {
  const fs::path name = name_within(record.folder, options.folder);
  if (options.format != "record") {
    return export_run(record, (out / name).lexically_normal(), options.format);
  }
  const fs::path base =
      name == "." ? fs::absolute(record.folder).lexically_normal().filename() : name;
  export_record(record, out / (base.string() + std::string(kRecordSuffix)));
} catch (const fs::filesystem_error& error) {
  throw InputError(out.string() + ": cannot write: " + error.code().message());
}

void export_runs(const ExportOptions& options) {
  find_known("format", options.format, formats());
  const fs::path out =
      options.out.empty() ? fs::path(options.folder) / options.format : fs::path(options.out);
  std::vector<std::string> problems;
  std::size_t written = 0;
  for (const fs::path& run : find_runs(std::vector{options.folder})) {
    const auto record =
        read_unless_broken(run, [&](const std::string& problem) { problems.push_back(problem); });
    if (!record) continue;
    write_run(*record, out, options);
    ++written;
  }
  if (written == 0) throw InputError(problems.front());
  for (const std::string& problem : problems) fmt::print(stderr, "gradus: left out: {}\n", problem);
}

}  // namespace

void add_export(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "Write a run's metrics for other programs");
  command->add_option("DIR", options->folder, "folder of a run or of a sweep")
      ->check(valid_name())
      ->required();
  command->add_option("--format", options->format, "csv, jsonl, record or tensorboard")
      ->type_name("FORMAT")
      ->required();
  command->add_option("--out", options->out, "folder for the files; default: DIR/FORMAT")
      ->type_name("DIR")
      ->check(valid_name());
  command->footer(
      "csv          metrics.csv: one row per evaluation\n"
      "             tasks.csv: one row per task and evaluation\n"
      "jsonl        run.jsonl: one line about the run, then one line per evaluation\n"
      "record       RUN.jsonl.gz: the same, compressed, with the values of each task at fewer\n"
      "             evaluations; gradus report reads it like the run's folder\n"
      "tensorboard  an event file; view it with: tensorboard --logdir DIR/tensorboard\n\n"
      "Each run of a sweep gets its own folder. Runs may still be training.");
  command->callback([options] { export_runs(*options); });
}

}  // namespace gradus::cli
