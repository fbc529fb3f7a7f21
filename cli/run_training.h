// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands.h"
#include "gradus/runs/training.h"

namespace gradus::cli {

/// Options of every command that trains.
struct TrainingFlags {
  int threads = 1;
  bool quiet = false;
};
void add_training_flags(CLI::App& command, TrainingFlags& flags);
TrainingOptions training_options(const TrainingFlags& flags);

/// Trains to the end, shows progress and prints next_step(). Throws Interrupted if the user stops
/// it, after saving a checkpoint.
void run_training(Training& training, bool quiet);

}  // namespace gradus::cli
