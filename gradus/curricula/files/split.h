// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/random.h"
#include "gradus/curricula/files/task_sequences.h"

namespace gradus::files {

/// Indices of the sequences of one task. Each part is sorted.
struct Parts {
  std::vector<std::uint32_t> training;
  std::vector<std::uint32_t> held_out;
};

/// Chooses by `random` which sequences of a task to hold out: the fraction `held_out`, rounded to
/// the nearest number, but at least one. Equal sequences go to the same part, so that training
/// never sees a held-out sequence. The smallest group of equal sequences is held out first, even if
/// it is too large. The other groups follow in random order as long as they fit; the rest is for
/// training, which gets at least one group. If there are fewer than two different sequences,
/// nothing is held out.
Parts split_sequences(const TaskSequences& sequences, double held_out, Random random);

}  // namespace gradus::files
