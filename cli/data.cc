#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/data_ngram.h"
#include "gradus/core/error.h"
#include "gradus/runs/runner.h"

namespace gradus::cli {
namespace {

struct DataOptions {
  std::string task;
  std::int64_t count = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> overrides;
};

int find_task(const Curriculum& curriculum, const std::string& name) {
  if (name.empty()) return curriculum.target().value_or(0);
  const std::vector<std::string>& tasks = curriculum.tasks();
  const auto found = std::find(tasks.begin(), tasks.end(), name);
  if (found == tasks.end()) throw_unknown("task", name, tasks);
  return static_cast<int>(found - tasks.begin());
}

// bAbI has its own file format, and its tasks can be given by number or by name.
void write_babi(const Babi& babi, const DataOptions& options) {
  const int task = options.task.empty() ? 0 : babi::find_task(options.task);
  babi.write_stories(task, options.count, options.seed, std::cout);
  if (!std::cout.flush()) throw std::runtime_error("cannot write to standard output");
}

// Sequence i of a task is a pure function of (seed, task, i).
void show_samples(const CurriculumEntry& entry, const DataOptions& options) {
  RunSettings settings;
  settings.curriculum = entry.name;
  for (const std::string& assignment : options.overrides) {
    apply_override(assignment, settings, entry.table);
  }
  const std::unique_ptr<Curriculum> curriculum = make_curriculum(settings);
  if (const auto* babi = dynamic_cast<const Babi*>(curriculum.get())) {
    return write_babi(*babi, options);
  }
  const int task = find_task(*curriculum, options.task);
  for (std::int64_t i = 0; i < options.count; ++i) {
    Random random(options.seed, Purpose::kSample, static_cast<std::uint64_t>(i),
                  static_cast<std::uint32_t>(task));
    fmt::print("{}{}\n", i > 0 ? "\n" : "", curriculum->describe(task, random));
  }
}

CLI::App* add_curriculum(CLI::App& data, const CurriculumEntry& entry,
                         const std::shared_ptr<DataOptions>& options) {
  CLI::App* command = data.add_subcommand(entry.name, entry.summary);
  command->add_option("--task", options->task,
                      "name of the task; default: the target, or else the first task");
  command->add_option("--count", options->count, "number of sequences to print")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "random seed of the samples")
      ->check(valid_seed())
      ->capture_default_str();
  command->add_option(
      "settings", options->overrides,
      "key=value settings of the curriculum (see " + entry.table + ".* in gradus train --help)");
  command->callback([&entry, options] { show_samples(entry, *options); });
  return command;
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App* data = app.add_subcommand("data", "Print sample sequences of a task in readable form");
  data->require_subcommand(1);
  for (const CurriculumEntry& entry : curriculum_list()) {
    if (entry.name == "ngram") {
      add_data_ngram(*data, entry);
    } else {
      add_curriculum(*data, entry, std::make_shared<DataOptions>());
    }
  }
}

}  // namespace gradus::cli
