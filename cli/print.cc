// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/documents.h"

namespace gradus::cli {

std::vector<const CLI::App*> visible_commands(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
}

// Used by the build and by packagers, so it is hidden: commands without a group are not in --help.
void add_print(CLI::App& app) {
  CLI::App* print = app.add_subcommand("print", "Print the man page or the bash completion");
  print->group("");
  print->require_subcommand(1);
  print->add_subcommand("man-page", "Print the man page")->callback([&app] {
    fmt::print("{}", man_page(app));
  });
  print->add_subcommand("bash-completion", "Print the bash completion")->callback([&app] {
    fmt::print("{}", bash_completion(app));
  });
}

}  // namespace gradus::cli
