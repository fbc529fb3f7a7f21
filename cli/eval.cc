// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/table.h"
#include "cli/use_network.h"
#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/files/file.h"
#include "gradus/runs/data_fingerprint.h"

namespace gradus::cli {
namespace {

struct EvalOptions {
  NetworkArguments network;
  std::string task;
  std::string file;
  std::int64_t sequences = 0;  ///< 0: evaluation.sequences of the run
  bool json = false;
};

/// A row of the table. Numbers that do not apply are NaN.
struct TaskResult {
  std::string name;
  double loss = NAN;  ///< nats per output
  double bits = NAN;  ///< per character or word
  double error = NAN;
};

TaskResult row_of(const std::string& name, const std::string& unit, const Evaluation& evaluation) {
  TaskResult row{.name = name, .loss = evaluation.loss_per_output()};
  if (unit.empty()) {
    row.error = evaluation.error();
  } else {
    row.bits = row.loss / std::numbers::ln2;
  }
  return row;
}

double mean_of(const std::vector<TaskResult>& rows, double TaskResult::*field) {
  double sum = 0;
  int count = 0;
  for (const TaskResult& row : rows) {
    if (std::isnan(row.*field)) continue;
    sum += row.*field;
    ++count;
  }
  return count == 0 ? NAN : sum / count;
}

struct Result {
  std::vector<TaskResult> rows;
  std::string unit;  ///< of the run's texts, or empty if there are none
  std::string of;    ///< what was evaluated, for the line above the table
  std::int64_t symbols = 0;
  std::int64_t unknown = 0;
};

Result evaluate_file(TrainedRun& run, const std::string& file) {
  const EncodedData data = run.make_reader()->read(read_file(file), file);
  tell_unknown(data.unknown);
  Result result;
  result.unit = data.unit;
  result.symbols = data.symbols;
  result.unknown = data.unknown;
  result.of = count_text(std::ssize(data.sequences), "sequence");
  result.rows.push_back(row_of(file, data.unit, run.evaluate(data.sequences)));
  return result;
}

// Data that changed may still be evaluated, but not with another vocabulary.
void check_data(const TrainedRun& run, const Curriculum& curriculum) {
  if (curriculum.data() != run.saved().data || curriculum.vocabulary() != run.saved().vocabulary) {
    throw InputError(run.record().folder.string() +
                     ": the vocabulary of the data is not the one that the network was trained "
                     "with; restore the data, or use --file");
  }
  const std::string changes = data_changes(run.record().folder, curriculum);
  if (changes.empty()) return;
  warn("the data are not those that the run started with (" + changes + ")");
}

Result evaluate_tasks(TrainedRun& run, const EvalOptions& options) {
  const RunSettings& settings = run.settings();
  const auto curriculum = make_curriculum(settings.curriculum, settings.curricula);
  check_data(run, *curriculum);
  const std::int64_t sequences =
      options.sequences > 0 ? options.sequences : settings.evaluation_sequences;
  Result result;
  for (const std::string& unit : run.record().units) {
    if (!unit.empty()) result.unit = unit;
  }
  result.of = count_text(sequences, "held-out sequence") + " per task";
  const auto evaluate = [&](int task) {
    const std::string unit(curriculum->unit(task));
    result.rows.push_back(
        row_of(curriculum->tasks()[task], unit, run.evaluate(*curriculum, task, sequences)));
  };
  if (!options.task.empty()) {
    evaluate(curriculum->find_task(options.task));
  } else {
    for (std::size_t task = 0; task < curriculum->tasks().size(); ++task) {
      evaluate(static_cast<int>(task));
    }
  }
  return result;
}

std::string number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

void print_table(const TrainedRun& run, std::vector<TaskResult> rows, const Result& result) {
  fmt::print("{} checkpoint, {} steps; {}\n", run.is_best() ? "best" : "last", run.steps(),
             result.of);
  const bool has_bits = !std::isnan(mean_of(rows, &TaskResult::bits));
  const bool has_errors = !std::isnan(mean_of(rows, &TaskResult::error));
  if (rows.size() > 1) {
    rows.push_back({"mean", mean_of(rows, &TaskResult::loss), mean_of(rows, &TaskResult::bits),
                    mean_of(rows, &TaskResult::error)});
  }
  std::vector<Row> table = {{result.symbols > 0 ? "file" : "task", "loss (nats)",
                             has_bits ? "bits/" + result.unit : "", has_errors ? "error" : ""}};
  for (const TaskResult& row : rows) {
    table.push_back({row.name, number(row.loss), has_bits ? number(row.bits) : "",
                     has_errors ? number(row.error) : ""});
  }
  fmt::print("{}", aligned(table));
}

nlohmann::json or_null(double value) {
  return std::isnan(value) ? nlohmann::json() : nlohmann::json(value);
}

void print_json(const TrainedRun& run, const EvalOptions& options, const Result& result) {
  const auto fields = [&](nlohmann::json object, double loss, double bits, double error) {
    object["loss"] = or_null(loss);
    if (!result.unit.empty()) object["bits_per_" + result.unit] = or_null(bits);
    object["error"] = or_null(error);
    return object;
  };
  nlohmann::json json = {{"run", options.network.run},
                         {"checkpoint", run.is_best() ? "best" : "last"},
                         {"steps", run.steps()}};
  if (!options.file.empty()) {
    json["symbols"] = result.symbols;
    json["unknown"] = result.unknown;
  }
  const char* key = options.file.empty() ? "task" : "file";
  json["results"] = nlohmann::json::array();
  for (const TaskResult& row : result.rows) {
    json["results"].push_back(fields({{key, row.name}}, row.loss, row.bits, row.error));
  }
  json["mean"] =
      fields(nlohmann::json::object(), mean_of(result.rows, &TaskResult::loss),
             mean_of(result.rows, &TaskResult::bits), mean_of(result.rows, &TaskResult::error));
  fmt::print("{}\n", json.dump(2));
}

void eval(const EvalOptions& options) {
  TrainedRun run = load_trained(options.network);
  const Result result =
      options.file.empty() ? evaluate_tasks(run, options) : evaluate_file(run, options.file);
  if (options.json) return print_json(run, options, result);
  print_table(run, result.rows, result);
}

}  // namespace

void add_eval(CLI::App& app) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* command =
      app.add_subcommand("eval", "Evaluate a trained network on held-out data or on a file");
  add_network_arguments(*command, options->network);
  CLI::Option* task = command->add_option("--task", options->task, "one task; default: all tasks")
                          ->type_name("NAME");
  CLI::Option* sequences =
      command
          ->add_option("--sequences", options->sequences,
                       "held-out sequences per task; default: the run's evaluation.sequences")
          ->type_name("N")
          ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  command
      ->add_option("--file", options->file,
                   "a file of your own, read as the run's curriculum reads its data")
      ->type_name("FILE")
      ->excludes(task)
      ->excludes(sequences);
  command->add_option("--threads", options->network.threads, "threads; does not change the results")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_json_flag(*command, options->json);
  command->footer(
      "loss   nats per scored output\n"
      "bits   the same in bits per character or word, for texts\n"
      "error  the share of wrong answers, for tasks with answers\n\n"
      "--file reads, by the run's curriculum:\n" +
      format_help(&CurriculumEntry::reads) +
      "\n--file needs only the run's folder; tasks also need the run's data.");
  command->callback([options] { eval(*options); });
}

}  // namespace gradus::cli
