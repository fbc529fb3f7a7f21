// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"
#include "gradus/core/error.h"
#include "gradus/core/version.h"

namespace gradus::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;
constexpr int kInterrupted = 130;

// Prints one line on stderr, even if the message contains line breaks.
int complain(int code, const std::string& message) {
  std::string line;
  for (const char c : message) line += c == '\n' ? "\\n" : c == '\r' ? "\\r" : std::string(1, c);
  std::fprintf(stderr, "gradus: %s\n", line.c_str());
  return code;
}

// Names that may follow `command` on the command line: its options and subcommands.
std::vector<std::string> names_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(sub->get_name());
  }
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The innermost subcommand of the parsed command line.
const CLI::App& reached(const CLI::App& app) {
  const auto subs = app.get_subcommands();
  return subs.empty() ? app : reached(*subs.front());
}

// The command as typed: "gradus data repeat-copy".
std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? path_of(*parent) + " " + command.get_name() : command.get_name();
}

// Prefer to report an unknown argument over a missing one: `--taks 3` explains why --tasks is
// missing.
int report(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const CLI::App& command = reached(app);
  const std::string help = "see " + path_of(command) + " --help";
  const std::vector<std::string> unknown = command.remaining();
  const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (unknown.empty() || !(missing || dynamic_cast<const CLI::ExtrasError*>(&error))) {
    return complain(kWrongInput, std::string(error.what()) + "; " + help);
  }
  const std::string near = nearest_name(unknown.front(), names_of(command));
  return complain(kWrongInput, "unknown argument \"" + unknown.front() + "\"; " +
                                   (near.empty() ? help : "did you mean \"" + near + "\"?"));
}

// Flushes stdout: a full disk may show only now.
int finish_output() {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  return complain(kFailed, output_failure());
}

// In the order of --help.
void add_commands(CLI::App& app) {
  add_train(app);
  add_resume(app);
  add_sweep(app);
  add_check(app);
  add_runs(app);
  add_show(app);
  add_eval(app);
  add_sample(app);
  add_answer(app);
  add_export(app);
  add_reproduce(app);
  add_report(app);
  add_serve(app);
  add_arena(app);
  add_replay(app);
  add_data(app);
  add_list(app);
  add_bench(app);
  add_info(app);
  add_help(app);
  add_print(app);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Automated curriculum learning: a bandit chooses which task a neural network trains on\n"
      "next. Its reward is how much the network has just learned.");
  app.name("gradus");
  app.set_version_flag("--version", "gradus " + std::string(version()));
  app.require_subcommand(0, 1);
  app.footer(
      "Exit codes: 0 done; 1 failed while running; 2 wrong command line, config or input file;\n"
      "130 interrupted.");
  add_commands(app);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) print_help(app, {});
    return finish_output();
  } catch (const CLI::ParseError& error) {
    const int code = report(app, error);
    return code == 0 ? finish_output() : code;
  } catch (const InputError& error) {
    return complain(kWrongInput, error.what());
  } catch (const Interrupted&) {
    return kInterrupted;
  } catch (const std::bad_alloc&) {
    return complain(kFailed, "not enough memory");
  } catch (const std::exception& error) {
    return complain(kFailed, error.what());
  }
}

}  // namespace
}  // namespace gradus::cli

int main(int argc, char** argv) {
  // Ignore SIGXFSZ so that writes fail with EFBIG.
  std::signal(SIGXFSZ, SIG_IGN);
  return gradus::cli::run(argc, argv);
}
