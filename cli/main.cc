#include <cstdio>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/version.h"
#include "gradus/core/error.h"

namespace gradus::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;
constexpr int kInterrupted = 130;

int complain(int code, const std::string& message) {
  std::fprintf(stderr, "gradus: %s\n", message.c_str());
  return code;
}

// Names that may follow `command`: its options and subcommands.
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

// The innermost subcommand that the command line reached.
const CLI::App& reached(const CLI::App& app) {
  const auto subs = app.get_subcommands();
  return subs.empty() ? app : reached(*subs.front());
}

std::string first_unknown(const CLI::App& app, const std::vector<std::string>& arguments) {
  const std::vector<std::string> names = names_of(app);
  for (const std::string& argument : arguments) {
    if (std::find(names.begin(), names.end(), argument) == names.end()) return argument;
  }
  return "";
}

int report(const CLI::App& app, const CLI::ParseError& error,
           const std::vector<std::string>& arguments) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const CLI::App& command = reached(app);
  const std::string name = &command == &app ? "gradus" : "gradus " + command.get_name();
  std::string unknown;
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const auto extras = command.remaining(true);
    if (!extras.empty()) unknown = extras.front();
  } else if (&command == &app) {
    unknown = first_unknown(app, arguments);
  }
  if (unknown.empty())
    return complain(kWrongInput, std::string(error.what()) + "; see " + name + " --help");
  const std::string near = nearest_name(unknown, names_of(command));
  return complain(kWrongInput, "unknown argument \"" + unknown + "\"; " +
                                   (near.empty() ? "see " + name + " --help"
                                                 : "did you mean \"" + near + "\"?"));
}

int run(int argc, char** argv) {
  CLI::App app(
      "Automated curriculum learning: a bandit chooses which task a neural network studies\n"
      "next, rewarded by how much the network has just learned.");
  app.name("gradus");
  app.set_version_flag("--version", std::string("gradus ") + kVersion);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 failed while running; 2 wrong command line, config or input file;\n"
      "130 interrupted.");
  add_train(app);
  add_replay(app);
  add_data(app);
  add_list(app);
  add_bench(app);
  add_info(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    return report(app, error, std::vector<std::string>(argv + 1, argv + argc));
  } catch (const InputError& error) {
    return complain(kWrongInput, error.what());
  } catch (const Interrupted&) {
    return kInterrupted;
  } catch (const std::exception& error) {
    return complain(kFailed, error.what());
  }
}

}  // namespace
}  // namespace gradus::cli

int main(int argc, char** argv) {
  return gradus::cli::run(argc, argv);
}
