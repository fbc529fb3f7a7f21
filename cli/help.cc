// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/documents.h"
#include "gradus/core/error.h"

namespace gradus::cli {
namespace {

const CLI::App& find_command(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* command : visible_commands(app)) {
    if (command->get_name() == name) return *command;
    names.push_back(command->get_name());
  }
  if (names.empty()) throw InputError("\"" + app.get_name() + "\" has no command \"" + name + "\"");
  throw_unknown("command", name, names);
}

}  // namespace

void print_help(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string path = app.get_name();
  for (const std::string& word : words) {
    command = &find_command(*command, word);
    path += " " + word;
  }
  // Not App::help(), which prints the help of the command that was parsed.
  fmt::print("{}", command->get_formatter()->make_help(command, path, CLI::AppFormatMode::Normal));
}

void add_help(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("help", "Show the help of a command");
  command->add_option("COMMAND", *words, "a command; default: gradus itself");
  command->callback([&app, words] { print_help(app, *words); });
}

}  // namespace gradus::cli
