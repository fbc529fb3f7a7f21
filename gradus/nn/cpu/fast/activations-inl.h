// SPDX-License-Identifier: Apache-2.0
// Logistic sigmoid and hyperbolic tangent of vectors of floats, with a relative error below 2e-7,
// also near 0: rounding of small activations causes most of the noise in prediction gain. Included
// once per instruction set.

#include "gradus/nn/cpu/fast/simd-inl.h"

#if defined(GRADUS_NN_CPU_FAST_ACTIVATIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADUS_NN_CPU_FAST_ACTIVATIONS_INL_H
#undef GRADUS_NN_CPU_FAST_ACTIVATIONS_INL_H
#else
#define GRADUS_NN_CPU_FAST_ACTIVATIONS_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

// Clamps x to [-80, 80], where exp is a normal float. NaN stays NaN; Min and Max alone would not
// guarantee that on all instruction sets.
HWY_INLINE Vec Clamped(Vec x) {
  const FloatTag d;
  const Vec clamped = hn::Min(hn::Set(d, 80.0f), hn::Max(hn::Set(d, -80.0f), x));
  return hn::IfThenElse(hn::Ne(x, x), x, clamped);
}

// exp(x) - 1 for -87 <= x <= 88. With x = n ln(2) + r and |r| <= ln(2)/2, the result is 2^n times a
// polynomial for exp(r) - 1, plus 2^n - 1.
HWY_INLINE Vec BoundedExpm1(Vec x) {
  const FloatTag d;
  const hn::RebindToSigned<FloatTag> di;
  // Adding and subtracting 1.5 * 2^23 rounds to the nearest integer; after the addition the low
  // bits hold it.
  const Vec rounder = hn::Set(d, 12582912.0f);
  const Vec shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), rounder);
  const Vec n = hn::Sub(shifted, rounder);
  Vec r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  Vec p = hn::Set(d, 1.0f / 5040);
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f / 720));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f / 120));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f / 24));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f / 6));
  p = hn::MulAdd(p, r, hn::Set(d, 0.5f));
  const auto exponent = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, rounder));
  const Vec scale = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(di, 127))));
  const Vec small = hn::MulAdd(hn::Mul(r, r), p, r);
  return hn::MulAdd(scale, small, hn::Sub(scale, hn::Set(d, 1.0f)));
}

HWY_INLINE Vec Sigmoid(Vec x) {
  const FloatTag d;
  const Vec e = BoundedExpm1(hn::Neg(Clamped(x)));
  return hn::Div(hn::Set(d, 1.0f), hn::Add(hn::Set(d, 2.0f), e));
}

HWY_INLINE Vec Tanh(Vec x) {
  const FloatTag d;
  const Vec e = BoundedExpm1(Clamped(hn::Add(x, x)));
  return hn::Div(e, hn::Add(hn::Set(d, 2.0f), e));
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#endif  // include guard
