// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/replay.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/runs/reward_log.h"
#include "gradus/runs/run_syllabus.h"
#include "gradus/runs/training.h"

namespace gradus::cli {
namespace {

struct ReplayOptions {
  std::string log;
  int tasks = 0;
  std::string policy = "exp3s";
  std::uint64_t seed = 1;
  nlohmann::json settings = nlohmann::json::object();  // given on the command line, by name
};

void print_replay(const ReplayLog& log, Syllabus syllabus) {
  fmt::print("round,probability,reward");
  for (std::size_t i = 0; i < syllabus.tasks().size(); ++i) fmt::print(",p{}", i);
  fmt::print("\n");
  replay(log, syllabus, [&](const ReplayedRound& round) {
    fmt::print("{},{:.17g},{:.17g}", round.round, round.probability, round.reward);
    for (const double p : syllabus.probabilities()) fmt::print(",{:.17g}", p);
    fmt::print("\n");
  });
}

void replay_file(const ReplayOptions& options) {
  if (options.tasks == 0) throw CLI::RequiredError("--tasks");
  std::vector<std::string> tasks;
  for (int i = 0; i < options.tasks; ++i) tasks.push_back(std::to_string(i));
  SyllabusSettings settings = read_syllabus_settings(options.policy, tasks, options.settings);
  settings.seed = options.seed;
  const ReplayLog log = read_replay_log(options.log);
  print_replay(log, make_syllabus(tasks, for_log(settings, log)));
}

void replay_run(const CLI::App& command, const std::string& folder) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() > 0 && option->get_name().starts_with("--")) {
      throw InputError(option->get_name() + " cannot be given with a run's folder: " + folder +
                       " has its own tasks, policy and seed; replay " +
                       reward_log_file(folder).string() + " instead");
    }
  }
  const ReplayLog log = read_reward_log(folder);
  const RunSettings settings = stored_settings(folder);
  const std::unique_ptr<Curriculum> curriculum =
      make_curriculum(settings.curriculum, settings.curricula);
  print_replay(log, make_syllabus(curriculum->tasks(), syllabus_settings(settings, *curriculum)));
}

nlohmann::json parse_number_or_auto(const std::string& key, const std::string& text) {
  if (text == "auto") return text;
  const auto number = parse_number<double>(text);
  if (number) return *number;
  throw InputError("--" + key + " is \"" + text + "\", expected a number or \"auto\"");
}

using Shared = std::shared_ptr<ReplayOptions>;

template <typename Value>
CLI::Option* add_option(CLI::App& command, const Shared& options, const Setting& setting) {
  const auto set = [options, key = setting.key](const Value& value) {
    options->settings[key] = value;
  };
  return command.add_option_function<Value>("--" + setting.key, set, setting.help);
}

void add_option(CLI::App& command, const Shared& options, const Setting& setting) {
  const nlohmann::json usual = to_json(setting);
  if (std::holds_alternative<std::vector<double>*>(setting.value)) {
    add_option<std::vector<double>>(command, options, setting)->delimiter(',');
  } else if (std::holds_alternative<std::string*>(setting.value)) {
    add_option<std::string>(command, options, setting)->default_str(usual.get<std::string>());
  } else if (std::holds_alternative<std::optional<double>*>(setting.value)) {
    const auto set = [options, key = setting.key](const std::string& text) {
      options->settings[key] = parse_number_or_auto(key, text);
    };
    command.add_option_function<std::string>("--" + setting.key, set, setting.help)
        ->type_name("NUMBER|auto")
        ->default_str("auto");
  } else if (std::holds_alternative<std::int64_t*>(setting.value)) {
    add_option<std::int64_t>(command, options, setting)->default_str(usual.dump());
  } else {
    add_option<double>(command, options, setting)->default_str(to_text(usual.get<double>()));
  }
}

// One option per setting of the policies and of the reward scale, whose quantiles are "low" and
// "high" here.
void add_settings(CLI::App& command, const Shared& options) {
  PolicySettings policy;
  QuantileScaleSettings scale;
  std::vector<Setting> settings = settings_of(policy);
  append(settings, settings_of(scale));
  for (Setting& setting : settings) {
    const std::size_t quantile = setting.key.find("_quantile");
    if (quantile != std::string::npos) setting.key.resize(quantile);
    add_option(command, options, setting);
  }
}

}  // namespace

void add_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand(
      "replay", "Replay a log of rewards through a policy and print the policy after each row");
  command
      ->add_option("log", options->log,
                   "CSV file with the header task,progress,cost, tasks numbered from 0; or the "
                   "folder of a run with syllabus.log=true")
      ->required()
      ->type_name("LOG.csv|DIR");
  command->add_option("--tasks", options->tasks, "number of tasks; required for a CSV file")
      ->check(CLI::Range(1, 1 << 24))
      ->type_name("N");
  command->add_option("--policy", options->policy, "the policy (gradus list policies)")
      ->capture_default_str();
  add_settings(*command, options);
  add_seed_option(*command, options->seed,
                  "random seed of the reservoir, which keeps a random sample once it is full");
  command->footer(
      "Prints CSV with the columns round,probability,reward,p0,...: the probability of the row's\n"
      "task before the update, its scaled reward, and the probabilities of all tasks after it.\n"
      "The folder of a run is replayed with the run's own policy, settings and seed, which prints\n"
      "the policy of the run after each of its rewards.");
  command->callback([options, command] {
    if (std::filesystem::exists(config_file(options->log))) {
      return replay_run(*command, options->log);
    }
    replay_file(*options);
  });
}

}  // namespace gradus::cli
