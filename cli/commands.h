// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace gradus::cli {

// Each function adds one subcommand, whose callback does the work. Callbacks throw InputError for
// errors that the user must fix (exit code 2), Interrupted after Ctrl-C (130), and other exceptions
// for failures while running (1).
void add_train(CLI::App& app);
void add_resume(CLI::App& app);
void add_sweep(CLI::App& app);
void add_check(CLI::App& app);
void add_runs(CLI::App& app);
void add_show(CLI::App& app);
void add_eval(CLI::App& app);
void add_sample(CLI::App& app);
void add_answer(CLI::App& app);
void add_export(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_report(CLI::App& app);
void add_arena(CLI::App& app);
/// Whether this build includes the commands that write reports.
bool has_report();
void add_serve(CLI::App& app);
/// Adds a hidden command in place of one that this build leaves out because it lacks `needs`.
/// Running it throws InputError.
void add_left_out(CLI::App& app, const std::string& name, const std::string& needs);
void add_replay(CLI::App& app);
void add_data(CLI::App& app);
void add_bench(CLI::App& app);
void add_list(CLI::App& app);
void add_info(CLI::App& app);
/// `gradus help COMMAND`. `app` must outlive the parse.
void add_help(CLI::App& app);
/// Prints the help of the command that the words name, or of the program if there are none. Throws
/// InputError if there is no such command.
void print_help(const CLI::App& app, const std::vector<std::string>& words);
/// Hidden: prints what documents.h makes from `app`, which must outlive the parse.
void add_print(CLI::App& app);

/// Adds --seed, which is not negative: CLI11 would read -1 as the largest unsigned number.
inline void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& help) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  command.add_option("--seed", seed, help)
      ->check(CLI::Range(std::int64_t{0}, kMost, "seed"))
      ->capture_default_str();
}

/// Adds --json to a command that prints a table.
void add_json_flag(CLI::App& command, bool& json);

/// Rejects names of files and folders that are empty, longer than the system allows, or "-", which
/// elsewhere means standard output.
CLI::Validator valid_name();

/// Thrown after the user asked to stop, once everything that can be saved is saved.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

}  // namespace gradus::cli
