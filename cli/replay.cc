#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
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
  PolicySettings settings;
  QuantileScaleSettings scale;
  std::uint64_t seed = 1;
};

constexpr const char* kHeader = "task,progress,cost";

struct Row {
  int task = 0;
  double progress = 0;
  double cost = 0;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

template <typename Number>
Number parse(const std::string& where, const char* column, const std::string& text,
             const char* expected) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError(where + column + " is \"" + text + "\", expected " + expected);
  }
  return number;
}

Row parse_row(const std::string& where, const std::string& line) {
  const std::vector<std::string> fields = split(line);
  if (fields.size() != 3) {
    throw InputError(where + "\"" + line + "\" has " + std::to_string(fields.size()) +
                     " columns, expected 3: " + kHeader);
  }
  return {parse<int>(where, "task", fields[0], "a whole number"),
          parse<double>(where, "progress", fields[1], "a number"),
          parse<double>(where, "cost", fields[2], "a number")};
}

Syllabus make_syllabus(const ReplayOptions& options) {
  std::vector<std::string> tasks;
  for (int i = 0; i < options.tasks; ++i) tasks.push_back(std::to_string(i));
  return {tasks, make_policy(options.policy, options.tasks, options.settings),
          make_quantile_scale(options.scale, options.seed), options.seed};
}

void print_row(std::uint64_t round, double probability, double reward, const Policy& policy) {
  fmt::print("{},{:.17g},{:.17g}", round, probability, reward);
  for (const double p : policy.probabilities()) fmt::print(",{:.17g}", p);
  fmt::print("\n");
}

std::ifstream open_log(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw InputError(path + ": is a folder, not a CSV file");
  std::ifstream log(path);
  if (!log) throw InputError(path + ": cannot read: " + std::strerror(errno));
  return log;
}

void replay(const ReplayOptions& options, Syllabus syllabus) {
  std::ifstream log = open_log(options.log);
  std::string line;
  const auto read_line = [&] {
    if (!std::getline(log, line)) return false;
    if (line.ends_with('\r')) line.pop_back();
    return true;
  };
  read_line();
  if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // spreadsheets mark UTF-8 so
  if (line != kHeader) {
    throw InputError(options.log + ":1: header is \"" + line + "\", expected \"" + kHeader + "\"");
  }
  fmt::print("round,probability,reward");
  for (int i = 0; i < options.tasks; ++i) fmt::print(",p{}", i);
  fmt::print("\n");
  for (std::uint64_t round = 1; read_line(); ++round) {
    if (line.empty() && log.peek() == std::ifstream::traits_type::eof()) break;
    const std::string where = fmt::format("{}:{}: row {}: ", options.log, round + 1, round);
    const Row row = parse_row(where, line);
    try {
      const Ticket ticket = syllabus.ticket_for(row.task);
      const Reward reward = syllabus.reward(ticket, row.progress, row.cost);
      print_row(round, ticket.probability, reward.scaled, syllabus.policy());
    } catch (const InputError& error) {
      throw InputError(where + error.what());
    }
  }
}

void check_policy_options(const CLI::App& command, const ReplayOptions& options) {
  const bool exp3s = options.policy == "exp3s";
  const bool exp3 = options.policy == "exp3";
  const auto refuse = [&](const char* option, bool valid) {
    if (valid || command.count(option) == 0) return;
    throw InputError("policy " + options.policy + " has no " + std::string(option).substr(2));
  };
  refuse("--eta", exp3s || exp3);
  refuse("--beta", exp3s);
  refuse("--epsilon", exp3s);
  refuse("--probabilities", options.policy == "fixed");
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
