// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <fmt/format.h>

#include "cli/arena_table.h"
#include "cli/next_step.h"
#include "cli/ready_sweep.h"
#include "cli/write_report.h"
#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/runs/frontier.h"
#include "gradus/runs/results.h"
#include "gradus/runs/run_syllabus.h"

namespace gradus::cli {
namespace {

struct ArenaOptions : ReadySweepOptions {
  std::vector<std::string> arms = {"pg+exp3s", "hpg+exp3s", "lsg+exp3s", "hsg+exp3s",
                                   "hsg+exp3s,syllabus.epsilon=0.4"};
};

// "pg+boltzmann,syllabus.temperature=0.2" as key=value: the signal, the policy, more settings.
std::vector<std::string> overrides_of(const std::string& arm) {
  const std::vector<std::string> parts = split(arm, ',');
  const std::string& pair = parts.front();
  const std::size_t plus = std::min(pair.find('+'), pair.size());
  std::vector<std::string> overrides = {"gain=" + pair.substr(0, plus)};
  if (plus < pair.size()) overrides.push_back("policy=" + pair.substr(plus + 1));
  if (plus == pair.size() && !is_baseline(pair)) {
    throw InputError("arm \"" + arm + "\" is not of the form GAIN+POLICY[,key=value...]");
  }
  overrides.insert(overrides.end(), parts.begin() + 1, parts.end());
  return overrides;
}

bool fits(const std::string& arm, const SweepRun& run) {
  return arm != kFrontierBaseline ||
         Frontier::fits(description_of(run.settings.curriculum, run.settings.curricula));
}

// Names a run by its arm, its column and its seed; all other settings follow from these.
std::string name_of(const std::string& arm, const RunSettings& settings) {
  const std::string column = report::column_of(setting_texts(settings));
  return fmt::format("{},{},seed={}", arm, column, settings.seed);
}

void check_names(const std::vector<SweepRun>& runs) {
  std::set<std::string> names;
  for (const SweepRun& run : runs) {
    if (names.insert(run.name).second) continue;
    throw InputError("there are two runs " + run.name +
                     "; expected each arm once, and no list of values except for seed");
  }
}

std::string command_of(const ArenaOptions& options) {
  std::string command = "gradus arena --scale " + options.scale;
  for (const std::string& arm : options.arms) command += " --arm " + quoted(arm);
  for (const std::string& setting : options.overrides) command += " " + quoted(setting);
  for (const std::string& condition : options.flags.only) command += " --only " + quoted(condition);
  return command;
}

// The runs of all arms, uniform sampling and the hand-made syllabus on all curricula.
std::vector<SweepRun> runs_of(const ArenaOptions& options) {
  std::vector<std::string> arms = {kUniformBaseline, kFrontierBaseline};
  arms.insert(arms.end(), options.arms.begin(), options.arms.end());
  std::vector<SweepRun> runs;
  for (const std::string& arm : arms) {
    std::vector<std::string> overrides = all_overrides(options.overrides, options.flags);
    for (std::string& setting : overrides_of(arm)) overrides.push_back(std::move(setting));
    for (SweepRun& run : ready_runs("arena", options.scale, overrides)) {
      run.name = name_of(arm, run.settings);
      if (fits(arm, run)) runs.push_back(std::move(run));
    }
  }
  check_names(runs);
  return runs;
}

void write_arena(const ArenaOptions& options, const std::string& results, const std::string& page) {
  std::vector<std::string> notes;
  report::Arena made = report::make_arena(read_runs({results}, notes), command_of(options));
  made.notes.insert(made.notes.end(), notes.begin(), notes.end());
  write_page(page, report::document_of(made));
  if (options.json) {
    fmt::print("{}\n", report::document_of(made).dump(2));
  } else {
    fmt::print("{}\n{}\n\nPage written to {}\n", table_text(made), made.finding, page);
  }
}

void arena(const ArenaOptions& options) {
  const std::vector<SweepRun> runs = runs_of(options);
  const std::string folder = options.out.empty() ? "runs/arena-" + options.scale : options.out;
  if (!options.flags.dry_run) {
    fmt::print(stderr, "{} runs, in {}\n", only(runs, options.flags.only).size(), folder);
  }
  train_and_write(runs, folder, options, [&](const std::string& results) {
    write_arena(options, results, folder + "/arena.html");
  });
}

}  // namespace

void add_arena(CLI::App& app) {
  auto options = std::make_shared<ArenaOptions>();
  CLI::App* command = app.add_subcommand(
      "arena", "Compare signals and policies with uniform sampling on many curricula");
  add_ready_sweep_options(
      *command, *options,
      "\"demo\": about ten minutes on two cores; \"paper\": the paper's size, on a GPU",
      "runs/arena-SCALE");
  command
      ->add_option("--arm", options->arms,
                   "a signal and a policy to compare, with more settings if needed")
      ->type_name("GAIN+POLICY[,KEY=VALUE...]")
      ->allow_extra_args(false)
      ->capture_default_str();
  command->footer(
      "Trains every arm, uniform sampling and a hand-made syllabus for repeat copy on repeat "
      "copy,\n"
      "n-grams, bAbI and the stress curriculum (configs/demo/arena.toml, "
      "configs/paper/arena.toml),\n"
      "and writes arena.html in the folder: the speed-up over uniform sampling, each arm's worst\n"
      "case, and the cost of measuring. If run again, it continues the runs that have not "
      "finished.\n"
      "docs/arena.md explains the numbers:\n\n"
      "  gradus arena --arm pg+exp3s --arm hpg+boltzmann,syllabus.temperature=0.2 \\\n"
      "    --only curriculum=stress 'seed=[1, 2, 3]'");
  command->callback([options] { arena(*options); });
}

}  // namespace gradus::cli
