#pragma once

#include <cstdint>

#include "gradus/core/batch.h"

namespace gradus {

/// Inputs of all three kinds and the given output.
DataSpec mixed_data(OutputKind kind, int outputs);

/// Sequences of random lengths 1..max_length with random inputs, targets and masks, each scoring at
/// least one output. A pure function of its arguments.
std::vector<Sequence> random_sequences(const DataSpec& spec, int count, int max_length,
                                       std::uint64_t seed);
Batch random_batch(const DataSpec& spec, int count, int max_length, std::uint64_t seed);

}  // namespace gradus
