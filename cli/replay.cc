#include "gradus/runs/replay.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "gradus/core/error.h"
#include "gradus/core/syllabus.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"

namespace gradus::cli {
namespace {

struct ReplayOptions {
  std::string log;
  int tasks = 0;
  std::string policy = "exp3s";
  std::string eta = "auto";
  PolicySettings settings;
  QuantileScaleSettings scale;
  std::uint64_t seed = 1;
};

std::optional<double> parse_eta(const std::string& text) {
  if (text == "auto") return std::nullopt;
  double eta = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), eta);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError("--eta is \"" + text + "\", expected a number or \"auto\"");
  }
  return eta;
}

Syllabus make_syllabus(const ReplayOptions& options, std::size_t rounds) {
  const PolicySettings settings =
      for_rounds(options.settings, options.tasks, std::max<std::size_t>(rounds, 1));
  std::vector<std::string> tasks;
  for (int i = 0; i < options.tasks; ++i) tasks.push_back(std::to_string(i));
  return {tasks, make_policy(options.policy, options.tasks, settings),
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

void replay(const ReplayOptions& options) {
  const std::vector<ReplayRow> rows = read_replay_log(options.log);
  Syllabus syllabus = make_syllabus(options, rows.size());
  print_header(options.tasks);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    print_round(replay_row(syllabus, replay_place(options.log, i + 1), rows[i]), syllabus.policy());
  }
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
      "replay", "Replay a log of rewards through a policy and print the policy after each row");
  command
      ->add_option("log", options->log,
                   "CSV file with the header task,progress,cost; tasks count from 0")
      ->required()
      ->type_name("LOG.csv");
  command->add_option("--tasks", options->tasks, "number of tasks")
      ->required()
      ->check(CLI::Range(1, 1 << 24))
      ->type_name("N");
  command->add_option("--policy", options->policy, "the policy (gradus list policies)")
      ->capture_default_str();
  command
      ->add_option("--eta", options->eta,
                   "step size; auto derives it from the numbers of tasks and rows")
      ->type_name("NUMBER|auto")
      ->capture_default_str();
  command->add_option("--beta", options->settings.beta, "constant added to every task's reward")
      ->capture_default_str();
  command->add_option("--epsilon", options->settings.epsilon, "share of uniform exploration")
      ->capture_default_str();
  command
      ->add_option("--probabilities", options->settings.probabilities,
                   "one probability per task, for the policy fixed")
      ->delimiter(',');
  command
      ->add_option("--reservoir", options->scale.reservoir,
                   "number of raw rewards kept for the reward scale")
      ->capture_default_str();
  command
      ->add_option("--seed", options->seed,
                   "random seed of the reservoir, which samples once it is full")
      ->check(valid_seed())
      ->capture_default_str();
  command->footer(
      "Prints CSV with the columns round,probability,reward,p0,...: the probability of the row's\n"
      "task before the update, its scaled reward, and the probabilities of all tasks after it.");
  command->callback([options, command] {
    check_policy_options(*command, *options);
    options->settings.eta = parse_eta(options->eta);
    replay(*options);
  });
}

}  // namespace gradus::cli
