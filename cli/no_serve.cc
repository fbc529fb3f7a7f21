// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "gradus/core/error.h"

namespace gradus::cli {

void add_left_out(CLI::App& app, const std::string& name, const std::string& needs) {
  CLI::App* command = app.add_subcommand(name)->group("")->allow_extras();
  command->set_help_flag();  // `gradus NAME --help` fails likewise
  command->callback([name, needs] {
    throw InputError("this program was built without \"gradus " + name + "\", which needs " +
                     needs + "; install that and build it again");
  });
}

void add_serve(CLI::App& app) {
  add_left_out(app, "serve", "npm and cpp-httplib");
}

}  // namespace gradus::cli
