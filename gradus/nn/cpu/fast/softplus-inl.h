// SPDX-License-Identifier: Apache-2.0
// log(1 + x) near 0 and softplus of float vectors with any number of lanes. Included once per
// instruction set.

#include "gradus/nn/cpu/fast/simd-inl.h"

#if defined(GRADUS_NN_CPU_FAST_SOFTPLUS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADUS_NN_CPU_FAST_SOFTPLUS_INL_H
#undef GRADUS_NN_CPU_FAST_SOFTPLUS_INL_H
#else
#define GRADUS_NN_CPU_FAST_SOFTPLUS_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

// log(1 + x) for -1/2 <= x <= 1, with a relative error of about float's rounding. It is 2 artanh(s)
// = 2 (s + s^3 / 3 + s^5 / 5 + ...) with s = x / (2 + x), so that |s| <= 1/3.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Log1pNear(D d, V x) {
  const V s = hn::Div(x, hn::Add(hn::Set(d, 2.0f), x));
  const V ss = hn::Mul(s, s);
  V sum = hn::Set(d, 1.0f / 15);
  sum = hn::MulAdd(sum, ss, hn::Set(d, 1.0f / 13));
  sum = hn::MulAdd(sum, ss, hn::Set(d, 1.0f / 11));
  sum = hn::MulAdd(sum, ss, hn::Set(d, 1.0f / 9));
  sum = hn::MulAdd(sum, ss, hn::Set(d, 1.0f / 7));
  sum = hn::MulAdd(sum, ss, hn::Set(d, 1.0f / 5));
  sum = hn::MulAdd(sum, ss, hn::Set(d, 1.0f / 3));
  const V twice = hn::Add(s, s);
  return hn::MulAdd(hn::Mul(sum, ss), twice, twice);
}

template <class V>
struct Width {
  V value;  // softplus(x) = log(1 + exp(x))
  V slope;  // sigmoid(x)
};

// Inputs below -80 are treated as -80, where softplus is still a normal float. NaN stays NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Width<V> WidthOf(D d, V rho) {
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0f);
  const V least = hn::Set(d, -80.0f);
  const V x = hn::IfThenElse(hn::Lt(rho, least), least, rho);
  const auto negative = hn::Lt(x, zero);
  const V e = hn::Exp(d, hn::Neg(hn::Abs(x)));
  const V larger = hn::Div(one, hn::Add(one, e));
  return {hn::Add(hn::IfThenElse(negative, zero, x), Log1pNear(d, e)),
          hn::IfThenElse(negative, hn::Mul(e, larger), larger)};
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#endif  // include guard
