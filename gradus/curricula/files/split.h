#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/random.h"
#include "gradus/curricula/files/task_sequences.h"

namespace gradus::files {

/// Indices of the sequences of one task, each part in order.
struct Parts {
  std::vector<std::uint32_t> training;
  std::vector<std::uint32_t> held_out;
};

/// Holds out the share `held_out` of a task's sequences, rounded to the nearest number but at least
/// one, chosen by `random`. Equal sequences stay on one side, so that training never sees what is
/// held out: those that are too many to fit stay in training, and where none fits, the rarest
/// sequence is held out. Nothing is held out where there are fewer than two different sequences.
Parts split_sequences(const TaskSequences& sequences, double held_out, Random random);

}  // namespace gradus::files
