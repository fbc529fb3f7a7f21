// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace gradus::cli {

// A build without npm has no page template, so it has no commands that write reports.
void add_report(CLI::App& app) {
  add_left_out(app, "report", "npm");
}
void add_reproduce(CLI::App& app) {
  add_left_out(app, "reproduce", "npm");
}
void add_arena(CLI::App& app) {
  add_left_out(app, "arena", "npm");
}
bool has_report() {
  return false;
}

}  // namespace gradus::cli
