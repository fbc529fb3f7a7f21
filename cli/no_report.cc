#include "cli/commands.h"

namespace gradus::cli {

// A build without npm has no page to write a report with, and so no commands that write one.
void add_report(CLI::App&) {}
void add_reproduce(CLI::App&) {}
bool has_report() {
  return false;
}

}  // namespace gradus::cli
