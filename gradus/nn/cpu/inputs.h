// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "gradus/core/batch.h"

namespace gradus {

/// Calls visit(row of the input matrix, value) for each non-zero input of one step: the token, the
/// bits, then the reals. `cell` is t * B + b.
template <typename Visit>
void for_each_input(const Batch& batch, const InputSpec& spec, std::size_t cell, Visit visit) {
  if (spec.tokens > 0 && batch.tokens[cell] != kNoToken) visit(batch.tokens[cell], 1.0f);
  if (spec.bits > 0) {
    for (std::uint32_t bits = batch.bits[cell]; bits != 0; bits &= bits - 1) {
      visit(spec.tokens + std::countr_zero(bits), 1.0f);
    }
  }
  for (int r = 0; r < spec.reals; ++r) {
    const float value = batch.reals[cell * spec.reals + r];
    if (value != 0) visit(spec.tokens + spec.bits + r, value);
  }
}

}  // namespace gradus
