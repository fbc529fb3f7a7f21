#pragma once

#include <cstdint>
#include <exception>
#include <limits>

#include <CLI/CLI.hpp>

namespace gradus::cli {

// Each adds one subcommand to the program; its work is the subcommand's callback. Callbacks throw
// InputError for what the user must mend (exit code 2), Interrupted after Ctrl-C (130), and any
// other exception for what failed while running (1).
void add_train(CLI::App& app);
void add_resume(CLI::App& app);
void add_sweep(CLI::App& app);
void add_export(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_report(CLI::App& app);
/// Whether this build has the commands that write reports.
bool has_report();
void add_replay(CLI::App& app);
void add_data(CLI::App& app);
void add_bench(CLI::App& app);
void add_list(CLI::App& app);
void add_info(CLI::App& app);

/// CLI11 would take -1 for the largest unsigned number.
inline CLI::Validator valid_seed() {
  return CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max(), "seed");
}

/// The user asked to stop, and what could be saved is saved.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

}  // namespace gradus::cli
