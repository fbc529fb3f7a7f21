// SPDX-License-Identifier: Apache-2.0
// Common definitions of this folder's vector code. Included once per instruction set.

// The disabled instruction sets gain nothing here, or have vectors of unknown length, which cannot
// be stored in arrays.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif

// foreach_target.h must be included first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#if defined(GRADUS_NN_CPU_FAST_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADUS_NN_CPU_FAST_SIMD_INL_H
#undef GRADUS_NN_CPU_FAST_SIMD_INL_H
#else
#define GRADUS_NN_CPU_FAST_SIMD_INL_H
#endif

#include "gradus/nn/cpu/fast/panels.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, kBlock>;
using Vec = hn::Vec<FloatTag>;
constexpr int kLanes = static_cast<int>(HWY_LANES(float) < kBlock ? HWY_LANES(float) : kBlock);

// Rows of a tile that is two vectors wide: as many as fit in the registers with the operands, and
// enough independent sums to hide the latency of a multiply-add.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON
constexpr int kRows = 8;
#else
constexpr int kRows = 4;
#endif

// to[0, count) += v. A count beyond the vector means the whole vector; a count below 1 means
// nothing.
HWY_INLINE void AddTo(Vec v, int count, float* to) {
  const FloatTag d;
  if (count >= kLanes) {
    hn::StoreU(hn::Add(hn::LoadU(d, to), v), d, to);
    return;
  }
  HWY_ALIGN float numbers[kLanes];
  hn::Store(v, d, numbers);
  for (int i = 0; i < count; ++i) to[i] += numbers[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#endif  // include guard
