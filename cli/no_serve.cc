// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace gradus::cli {

// A build without cpp-httplib or npm has no server.
void add_serve(CLI::App&) {}

}  // namespace gradus::cli
