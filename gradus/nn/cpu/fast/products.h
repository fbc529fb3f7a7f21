// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gradus/nn/cpu/fast/panels.h"

namespace gradus::fast {

/// c += a b. a is (rows, k), k a multiple of its panel width; c is (rows, 16 * blocks). b is
/// packed: for each block of 16 columns, k rows of 16. Every entry of c is summed in the order of
/// k, whatever the rows and blocks of the call, so any split of the work gives the same bits.
void add_product(int rows, int k, const Panels<const float>& a, const float* b, int blocks,
                 const Panels<float>& c);

/// Pairs rows [a, a + count) of one matrix with rows [b, b + count) of another.
struct Stretch {
  std::size_t a = 0;
  std::size_t b = 0;
  int count = 0;
};

/// Destination of the products of one block of columns: `columns` <= 16 numbers per row, with `row`
/// as the stride between rows.
struct Destination {
  float* data = nullptr;
  std::size_t row = 0;
  int columns = kBlock;
};

/// to += a^T b. For each column u of a in [first, last) and each block of b's columns, adds the sum
/// over the stretches' rows of a(row, u) b(row, column), in the order of the rows. Row u of `to[k]`
/// receives the sums with block k of b. Each call computes its sum separately and then adds it, so
/// several calls of a few hundred rows lose less to rounding than one call with all rows. REQUIRES
/// first a multiple of 16.
void add_transposed_product(std::span<const Stretch> stretches, int first, int last,
                            const Panels<const float>& a, const Panels<const float>& b,
                            std::span<const Destination> to);

/// The instruction set in use, as Highway names it.
const char* simd_name();
/// The instruction sets that were compiled, as Highway's bit mask.
std::int64_t simd_targets();

}  // namespace gradus::fast
