#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gradus/nn/cpu/fast/panels.h"

namespace gradus::fast {

/// c += a b, where a is (rows, k) with k a multiple of its width, c is (rows, 16 * blocks), and b
/// is packed: for each block of 16 columns, k rows of 16. Every entry of c is summed in the order
/// of k whatever the rows and blocks of the call, so any split of the work gives the same bits.
void add_product(int rows, int k, const Panels<const float>& a, const float* b, int blocks,
                 const Panels<float>& c);

/// Rows [a, a + count) of one matrix beside rows [b, b + count) of another.
struct Stretch {
  std::size_t a = 0;
  std::size_t b = 0;
  int count = 0;
};

/// Where the products of one block of columns go: `columns` <= 16 numbers a row.
struct Destination {
  float* data = nullptr;
  std::size_t row = 0;
  int columns = kBlock;
};

/// to += a^T b: for each column u of a in [first, last), first a multiple of 16, and each block of
/// b's columns, adds the sum over the stretches' rows of a(row, u) b(row, column), taken in the
/// order of rows. Row u of `to[k]` takes the sums with block k of b. The sum of one call is formed
/// apart and then added, so calls with a few hundred rows each lose less to rounding than one with
/// all.
void add_transposed_product(std::span<const Stretch> stretches, int first, int last,
                            const Panels<const float>& a, const Panels<const float>& b,
                            std::span<const Destination> to);

/// The instruction set that runs, as Highway names it.
const char* simd_name();
/// Those that were built, as a set of Highway's bits.
std::int64_t simd_targets();

}  // namespace gradus::fast
