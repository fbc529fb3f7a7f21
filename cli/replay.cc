#include "gradus/runs/replay.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "gradus/core/syllabus.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"

namespace gradus::cli {
namespace {

struct ReplayOptions {
  std::string log;
  int tasks = 0;
  std::string policy = "exp3s";
  PolicySettings settings;
  QuantileScaleSettings scale;
  std::uint64_t seed = 1;
};

Syllabus make_syllabus(const ReplayOptions& options) {
  std::vector<std::string> tasks;
  for (int i = 0; i < options.tasks; ++i) tasks.push_back(std::to_string(i));
  return {tasks, make_policy(options.policy, options.tasks, options.settings),
          make_quantile_scale(options.scale, options.seed), options.seed};
}

void print_round(const ReplayedRound& round, const Policy& policy) {
  fmt::print("{},{:.17g},{:.17g}", round.round, round.probability, round.reward);
  for (const double p : policy.probabilities()) fmt::print(",{:.17g}", p);
  fmt::print("\n");
}

void print_header(int tasks) {
  fmt::print("round,probability,reward");
  for (int i = 0; i < tasks; ++i) fmt::print(",p{}", i);
  fmt::print("\n");
}

void replay(const ReplayOptions& options, Syllabus syllabus) {
  bool header_printed = false;  // not above the complaint about a log that cannot be read
  const auto print_header_once = [&] {
    if (!header_printed) print_header(options.tasks);
    header_printed = true;
  };
  read_replay_log(options.log, [&](const std::string& where, const ReplayRow& row) {
    print_header_once();
    print_round(replay_row(syllabus, where, row), syllabus.policy());
  });
  print_header_once();
}

void check_policy_options(const CLI::App& command, const ReplayOptions& options) {
  for (const char* key : {"eta", "beta", "epsilon", "probabilities"}) {
    if (command.count(std::string("--") + key) > 0) check_policy_reads(options.policy, key);
  }
}

}  // namespace

void add_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand(
      "replay", "Run a log of rewards through a policy and print the policy after each");
  command
      ->add_option("log", options->log,
                   "CSV with the header task,progress,cost; tasks count from 0")
      ->required()
      ->type_name("LOG.csv");
  command->add_option("--tasks", options->tasks, "number of tasks")
      ->required()
      ->check(CLI::Range(1, 1 << 24))
      ->type_name("N");
  command->add_option("--policy", options->policy, "gradus list policies")->capture_default_str();
  command->add_option("--eta", options->settings.eta, "step size")->capture_default_str();
  command->add_option("--beta", options->settings.beta, "added to every task's reward")
      ->capture_default_str();
  command->add_option("--epsilon", options->settings.epsilon, "share of uniform exploration")
      ->capture_default_str();
  command->add_option("--probabilities", options->settings.probabilities, "of policy fixed")
      ->delimiter(',');
  command->add_option("--reservoir", options->scale.reservoir, "raw rewards kept for the scale")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "of the reservoir's draws, once it is full")
      ->check(valid_seed())
      ->capture_default_str();
  command->footer(
      "Prints CSV: round,probability,reward,p0,...: the probability of the row's task before "
      "the\nupdate, its scaled reward, and the whole policy after the update.");
  command->callback([options, command] {
    Syllabus syllabus = make_syllabus(*options);
    check_policy_options(*command, *options);
    replay(*options, std::move(syllabus));
  });
}

}  // namespace gradus::cli
