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

/// Trains to the end and shows progress. Throws Interrupted where the user stops it, after a
/// checkpoint.
void run_training(Training& training, bool quiet);

}  // namespace gradus::cli
