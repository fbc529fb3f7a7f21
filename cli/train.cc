#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/metrics_csv.h"
#include "cli/progress.h"
#include "gradus/core/error.h"
#include "gradus/runs/runner.h"

namespace gradus::cli {
namespace {

struct TrainOptions {
  std::vector<std::string> arguments;
  std::string seed;
  std::string device;
  int threads = 1;
  std::string out;
  bool quiet = false;
};

// No key has a slash, so runs/eta=0.1/config.toml is a file.
bool is_override(const std::string& argument) {
  const std::string key = argument.substr(0, argument.find('='));
  return key.size() < argument.size() && key.find('/') == std::string::npos;
}

RunSettings read_settings(const TrainOptions& options) {
  RunSettings settings;
  for (const std::string& argument : options.arguments) {
    if (is_override(argument)) {
      apply_override(argument, settings);
    } else if (&argument == &options.arguments.front()) {
      load_settings(argument, settings);
    } else {
      throw InputError("\"" + argument +
                       "\" is not of the form key=value; a config file must come first");
    }
  }
  if (!options.seed.empty()) apply_override("seed=" + options.seed, settings);
  if (!options.device.empty()) apply_override("device=" + options.device, settings);
  return settings;
}

void train(const TrainOptions& options) {
  Runner runner(read_settings(options), options.threads);
  for (const std::string& warning : runner.warnings()) {
    fmt::print(stderr, "gradus: warning: {}\n", warning);
  }
  std::unique_ptr<MetricsCsv> csv;
  if (!options.out.empty()) csv = std::make_unique<MetricsCsv>(options.out);
  Progress progress(runner.settings().steps, options.quiet);
  catch_interrupts();

  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  Metrics metrics;
  const auto evaluate = [&] {
    metrics = runner.evaluate();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (csv) csv->write(metrics, seconds);
  };
  evaluate();
  progress.show(metrics, runner.steps(), metrics.entropy);
  while (!runner.finished() && !interrupted()) {
    runner.teach();
    if (runner.evaluation_due()) evaluate();
    if (progress.due() || runner.finished()) {
      progress.show(metrics, runner.steps(), entropy(runner.syllabus().policy().probabilities()));
    }
  }
  progress.finish();
  if (!interrupted()) return;
  fmt::print(stderr, "gradus: interrupted after {} of {} steps{}\n", runner.steps(),
             runner.settings().steps, csv ? "; metrics so far are in " + options.out : "");
  throw Interrupted();
}

std::string settings_help() {
  RunSettings defaults;
  std::string text = "Settings (key=value on the command line, or in CONFIG) and their defaults:\n";
  for (const Setting& setting : settings_of(defaults)) {
    text += fmt::format("  {} = {}\n      {}\n", setting.key, value_text(setting), setting.help);
  }
  return text;
}

}  // namespace

void add_train(CLI::App& app) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command = app.add_subcommand("train", "Train a network under an automatic syllabus");
  command->add_option("arguments", options->arguments,
                      "a TOML file of settings, then any number of key=value");
  command->add_option("--seed", options->seed, "the same as seed=N")->type_name("N");
  command->add_option("--device", options->device, "the same as device=NAME: cpu or cuda")
      ->type_name("NAME");
  command
      ->add_option("--threads", options->threads,
                   "threads to work with; results do not depend on it")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--out", options->out, "write metrics to this CSV file")->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "show no progress");
  command->footer(settings_help());
  command->callback([options] { train(*options); });
}

}  // namespace gradus::cli
