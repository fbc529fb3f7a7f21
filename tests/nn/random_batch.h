// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gradus/core/batch.h"

namespace gradus {

/// A spec with inputs of all three kinds and the given output.
DataSpec mixed_data(OutputKind kind, int outputs);

/// Sequences with random lengths 1..max_length, inputs, targets and masks. Each has at least one
/// scored output. A pure function of its arguments.
std::vector<Sequence> random_sequences(const DataSpec& spec, int count, int max_length,
                                       std::uint64_t seed);
Batch random_batch(const DataSpec& spec, int count, int max_length, std::uint64_t seed);

}  // namespace gradus
