// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/fast/products.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/nn/cpu/fast/products.cc"
#include "gradus/nn/cpu/fast/simd-inl.h"

// Both products keep a tile of R rows by C vectors in registers while they loop over k: R
// broadcasts and C loads for R * C multiply-adds.

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

constexpr int kVectors = 2;                 // vectors per row of a tile
constexpr int kPerBlock = kBlock / kLanes;  // vectors per block of 16 columns

// acc(r, c) += sum over k of a(r)[k * a_step] * b[c][k * b_step + lane]. Rows a(r) are a_row apart,
// within quads that are a_stride apart.
template <int R, int C>
HWY_INLINE void Accumulate(const float* HWY_RESTRICT a, std::size_t a_row, std::size_t a_stride,
                           std::size_t a_step, const float* const (&b)[C], std::size_t b_step,
                           std::size_t count, Vec (&acc)[R][C]) {
  const FloatTag d;
  const float* HWY_RESTRICT from[C];
  for (int c = 0; c < C; ++c) from[c] = b[c];
  for (std::size_t k = 0; k < count; ++k) {
    Vec columns[C];
    for (int c = 0; c < C; ++c) {
      columns[c] = hn::LoadU(d, from[c]);
      from[c] += b_step;
    }
    for (int r = 0; r < R; ++r) {
      const Vec x = hn::Set(d, a[r % kQuad * a_row + r / kQuad * a_stride]);
      for (int c = 0; c < C; ++c) acc[r][c] = hn::MulAdd(x, columns[c], acc[r][c]);
    }
    a += a_step;
  }
}

// Start of vector column `v`, counting the matrix's columns in vectors.
template <typename Value>
HWY_INLINE Value* VectorColumn(const Panels<Value>& matrix, int v) {
  return matrix.block(v / kPerBlock) + v % kPerBlock * kLanes;
}

template <int R, int C>
void RowTile(int k, const Panels<const float>& a, const float* b, int vector,
             const Panels<float>& c) {
  const FloatTag d;
  Vec acc[R][C];
  float* to[C];
  const float* from[C];
  for (int v = 0; v < C; ++v) {
    to[v] = VectorColumn(c, vector + v);
    from[v] = b + static_cast<std::size_t>((vector + v) / kPerBlock) * k * kBlock +
              (vector + v) % kPerBlock * kLanes;
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < C; ++v) acc[r][v] = hn::LoadU(d, to[v] + row_of_quads(r, c.stride) * c.row);
  }
  const float* panel = a.data;
  for (int done = 0; done < k; done += a.width) {
    Accumulate<R, C>(panel, a.row, a.row * a.stride, 1, from, kBlock, a.width, acc);
    panel += a.panel;
    for (int v = 0; v < C; ++v) from[v] += static_cast<std::size_t>(a.width) * kBlock;
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < C; ++v) hn::StoreU(acc[r][v], d, to[v] + row_of_quads(r, c.stride) * c.row);
  }
}

template <int R, int C>
void RowTiles(int rows, int k, Panels<const float> a, const float* b, int vector, Panels<float> c) {
  if constexpr (R > 0) {
    for (; rows >= R; rows -= R) {
      RowTile<R, C>(k, a, b, vector, c);
      a.data += row_of_quads(R, a.stride) * a.row;
      c.data += row_of_quads(R, c.stride) * c.row;
    }
    RowTiles<R - 1, C>(rows, k, a, b, vector, c);
  }
}

void AddProduct(int rows, int k, const Panels<const float>& a, const float* b, int blocks,
                const Panels<float>& c) {
  const int vectors = blocks * kPerBlock;
  int vector = 0;
  for (; vector + kVectors <= vectors; vector += kVectors) {
    RowTiles<kRows, kVectors>(rows, k, a, b, vector, c);
  }
  if (vector < vectors) RowTiles<kRows, 1>(rows, k, a, b, vector, c);
}

template <int R, int C>
void UnitTile(std::span<const Stretch> stretches, const float* a, std::size_t a_row,
              const Panels<const float>& b, int vector, int unit, std::span<const Destination> to) {
  const FloatTag d;
  Vec acc[R][C];
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < C; ++v) acc[r][v] = hn::Zero(d);
  }
  for (const Stretch& stretch : stretches) {
    const float* from[C];
    for (int v = 0; v < C; ++v) from[v] = VectorColumn(b, vector + v) + stretch.b * b.row;
    Accumulate<R, C>(a + stretch.a * a_row, 1, kQuad, a_row, from, b.row, stretch.count, acc);
  }
  for (int v = 0; v < C; ++v) {
    const Destination& destination = to[(vector + v) / kPerBlock];
    const int offset = (vector + v) % kPerBlock * kLanes;
    float* out = destination.data + unit * destination.row + offset;
    for (int r = 0; r < R; ++r) {
      AddTo(acc[r][v], destination.columns - offset, out + r * destination.row);
    }
  }
}

// Processes units [unit, last) in tiles of R, then the remainder in smaller tiles.
template <int R, int C>
void UnitTiles(std::span<const Stretch> stretches, int unit, int last, const float* a,
               std::size_t a_row, const Panels<const float>& b, int vector,
               std::span<const Destination> to) {
  if constexpr (R > 0) {
    for (; unit + R <= last; unit += R) {
      UnitTile<R, C>(stretches, a + unit % kBlock, a_row, b, vector, unit, to);
    }
    UnitTiles<R - 1, C>(stretches, unit, last, a, a_row, b, vector, to);
  }
}

// Processes units [unit, last) for vectors [vector, vector + C) of b's columns, which stay in the
// L1 cache meanwhile.
template <int C>
void UnitColumn(std::span<const Stretch> stretches, int unit, int last,
                const Panels<const float>& a, const Panels<const float>& b, int vector,
                std::span<const Destination> to) {
  for (; unit < last; unit += kBlock) {
    UnitTiles<kRows, C>(stretches, unit, std::min(unit + kBlock, last), a.block(unit / kBlock),
                        a.row, b, vector, to);
  }
}

void AddTransposedProduct(std::span<const Stretch> stretches, int first, int last,
                          const Panels<const float>& a, const Panels<const float>& b,
                          std::span<const Destination> to) {
  const int vectors = static_cast<int>(to.size()) * kPerBlock;
  int vector = 0;
  for (; vector + kVectors <= vectors; vector += kVectors) {
    UnitColumn<kVectors>(stretches, first, last, a, b, vector, to);
  }
  if (vector < vectors) UnitColumn<1>(stretches, first, last, a, b, vector, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::fast {

HWY_EXPORT(AddProduct);
HWY_EXPORT(AddTransposedProduct);

void add_product(int rows, int k, const Panels<const float>& a, const float* b, int blocks,
                 const Panels<float>& c) {
  HWY_DYNAMIC_DISPATCH(AddProduct)(rows, k, a, b, blocks, c);
}

void add_transposed_product(std::span<const Stretch> stretches, int first, int last,
                            const Panels<const float>& a, const Panels<const float>& b,
                            std::span<const Destination> to) {
  HWY_DYNAMIC_DISPATCH(AddTransposedProduct)(stretches, first, last, a, b, to);
}

const char* simd_name() {
  // Better instruction sets have lower bits.
  const std::int64_t usable = hwy::SupportedTargets() & simd_targets();
  return hwy::TargetName(usable & -usable);
}

std::int64_t simd_targets() {
  return HWY_TARGETS;
}

}  // namespace gradus::fast
#endif
