// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "cli/commands.h"
#include "gradus/core/curriculum.h"
#include "gradus/runs/trained_run.h"

namespace gradus::cli {

/// The arguments that eval, sample and answer share.
struct NetworkArguments {
  std::string run;
  std::string checkpoint;
  int threads = 1;
};
void add_network_arguments(CLI::App& command, NetworkArguments& arguments);

/// What the networks of each curriculum read or answer, for the help of a command: its name and the
/// format, indented. Curricula without one are left out.
std::string format_help(std::string CurriculumEntry::*format);

/// Loads the network. Warnings go to stderr.
TrainedRun load_trained(const NetworkArguments& arguments);

/// Tells how many symbols were not in the vocabulary, if any.
void tell_unknown(std::int64_t unknown);

}  // namespace gradus::cli
