#include "cli/commands.h"

namespace gradus::cli {

// A build without npm has no page to write a report with, and so no such command.
void add_report(CLI::App&) {}

}  // namespace gradus::cli
