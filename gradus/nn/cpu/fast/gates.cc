// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/fast/gates.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/nn/cpu/fast/gates.cc"
#include "gradus/nn/cpu/fast/activations-inl.h"
#include "gradus/nn/cpu/fast/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

void ForwardGates(const GateRows& at, const float* HWY_RESTRICT z, float* HWY_RESTRICT cells,
                  float* HWY_RESTRICT hidden) {
  const FloatTag d;
  for (int row = 0; row < at.rows; ++row) {
    const std::size_t place = row_of_quads(row, at.stride) * kBlock;
    for (int lane = 0; lane < kBlock; lane += kLanes) {
      const float* in = z + 4 * row * kBlock + lane;
      const Vec i = Sigmoid(hn::LoadU(d, in));
      const Vec f = Sigmoid(hn::LoadU(d, in + kBlock));
      const Vec g = Tanh(hn::LoadU(d, in + 2 * kBlock));
      const Vec o = Sigmoid(hn::LoadU(d, in + 3 * kBlock));
      Vec c = hn::Mul(i, g);
      if (at.cells_before) c = hn::MulAdd(f, hn::LoadU(d, at.cells_before + place + lane), c);
      const Vec s = Tanh(c);
      hn::StoreU(c, d, cells + place + lane);
      hn::StoreU(hn::Mul(o, s), d, hidden + place + lane);
      if (!at.gates) continue;
      float* gates = at.gates + 4 * place + lane;
      hn::StoreU(i, d, gates);
      hn::StoreU(f, d, gates + kBlock);
      hn::StoreU(g, d, gates + 2 * kBlock);
      hn::StoreU(o, d, gates + 3 * kBlock);
      hn::StoreU(s, d, at.squashed + place + lane);
    }
  }
}

// On x86, min and max return the last operand if either is NaN, so this order keeps NaN.
HWY_INLINE Vec Limited(Vec low, Vec high, Vec value) {
  return hn::Min(high, hn::Max(low, value));
}

void BackwardGates(const GateRows& at, float bound, const float* HWY_RESTRICT hidden_gradient,
                   float* HWY_RESTRICT cell_gradient) {
  const FloatTag d;
  const Vec one = hn::Set(d, 1.0f);
  const Vec high = hn::Set(d, bound);
  const Vec low = hn::Set(d, -bound);
  const auto store = [&](Vec derivative, float* to) {
    hn::StoreU(Limited(low, high, derivative), d, to);
  };
  for (int row = 0; row < at.rows; ++row) {
    const std::size_t first = row_of_quads(row, at.stride) * kBlock;
    for (int lane = 0; lane < kBlock; lane += kLanes) {
      const std::size_t place = first + lane;
      float* gates = at.gates + 4 * first + lane;
      float* carried = cell_gradient + row * kBlock + lane;
      const Vec i = hn::LoadU(d, gates);
      const Vec f = hn::LoadU(d, gates + kBlock);
      const Vec g = hn::LoadU(d, gates + 2 * kBlock);
      const Vec o = hn::LoadU(d, gates + 3 * kBlock);
      const Vec s = hn::LoadU(d, at.squashed + place);
      const Vec dh = hn::LoadU(d, hidden_gradient + place);
      const Vec before = at.cells_before ? hn::LoadU(d, at.cells_before + place) : hn::Zero(d);
      const Vec dh_o = hn::Mul(dh, o);
      const Vec dc = hn::MulAdd(dh_o, hn::NegMulAdd(s, s, one), hn::LoadU(d, carried));
      const Vec dc_i = hn::Mul(dc, i);
      const Vec dc_f = hn::Mul(dc, f);
      hn::StoreU(dc_f, d, carried);
      store(hn::Mul(hn::Mul(dc_i, g), hn::Sub(one, i)), gates);
      store(hn::Mul(hn::Mul(dc_f, before), hn::Sub(one, f)), gates + kBlock);
      store(hn::Mul(dc_i, hn::NegMulAdd(g, g, one)), gates + 2 * kBlock);
      store(hn::Mul(hn::Mul(dh_o, s), hn::Sub(one, o)), gates + 3 * kBlock);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::fast {

HWY_EXPORT(ForwardGates);
HWY_EXPORT(BackwardGates);

void forward_gates(const GateRows& at, const float* z, float* cells, float* hidden) {
  HWY_DYNAMIC_DISPATCH(ForwardGates)(at, z, cells, hidden);
}

void backward_gates(const GateRows& at, float bound, const float* hidden_gradient,
                    float* cell_gradient) {
  HWY_DYNAMIC_DISPATCH(BackwardGates)(at, bound, hidden_gradient, cell_gradient);
}

}  // namespace gradus::fast
#endif
