// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/fast/passes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/nn/cpu/fast/passes.cc"
#include "gradus/nn/cpu/fast/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

using One = hn::CappedTag<float, 1>;  // for the remainder after whole vectors

template <class D>
HWY_INLINE void RmsPropAt(D d, const RmsPropStep& step, std::size_t i, float* HWY_RESTRICT gradient,
                          float* HWY_RESTRICT variances, float* HWY_RESTRICT means,
                          float* HWY_RESTRICT steps, float* HWY_RESTRICT parameters) {
  const auto p = hn::LoadU(d, parameters + i);
  const auto whole = hn::MulAdd(hn::Set(d, step.weight_decay), p, hn::LoadU(d, gradient + i));
  if (step.weight_decay != 0) hn::StoreU(whole, d, gradient + i);
  const auto g = hn::Mul(hn::Set(d, step.scale), whole);
  const auto m = hn::LoadU(d, means + i);
  const auto offset = hn::NegMulAdd(hn::Set(d, step.centred), m, g);
  const auto spread = hn::Mul(hn::Mul(hn::Set(d, step.spread), offset), offset);
  const auto decay = hn::Set(d, step.decay);
  const auto v = hn::MulAdd(decay, hn::LoadU(d, variances + i), spread);
  hn::StoreU(v, d, variances + i);
  hn::StoreU(hn::MulAdd(decay, m, hn::Mul(hn::Set(d, step.fresh), g)), d, means + i);
  const auto change =
      hn::Div(hn::Mul(hn::Set(d, step.rate), g), hn::Sqrt(hn::Add(v, hn::Set(d, step.epsilon))));
  const auto moved = hn::MulSub(hn::Set(d, step.momentum), hn::LoadU(d, steps + i), change);
  hn::StoreU(moved, d, steps + i);
  hn::StoreU(hn::Add(p, moved), d, parameters + i);
}

void RmsPropPass(const RmsPropStep& step, std::size_t count, float* gradient, float* variances,
                 float* means, float* steps, float* parameters) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    RmsPropAt(FloatTag(), step, i, gradient, variances, means, steps, parameters);
  }
  for (; i < count; ++i) {
    RmsPropAt(One(), step, i, gradient, variances, means, steps, parameters);
  }
}

// StoreInterleaved4 transposes four vectors. Apply it to rows l, l + 4, l + 8 and l + 12, then to
// the four results: element (row 4 h + l, column c) goes to index 4 c + h of result l, and from
// there to index 4 (4 c + h) + l of the output.
HWY_INLINE void TransposeBlock(const float* HWY_RESTRICT from, float* HWY_RESTRICT to) {
  const FloatTag d;
  HWY_ALIGN float results[4][4 * kBlock];
  for (int low = 0; low < 4; ++low) {
    for (int c = 0; c < kBlock; c += kLanes) {
      const float* rows = from + low * kBlock + c;
      hn::StoreInterleaved4(hn::LoadU(d, rows), hn::LoadU(d, rows + 4 * kBlock),
                            hn::LoadU(d, rows + 8 * kBlock), hn::LoadU(d, rows + 12 * kBlock), d,
                            results[low] + 4 * c);
    }
  }
  for (int i = 0; i < 4 * kBlock; i += kLanes) {
    hn::StoreInterleaved4(hn::Load(d, results[0] + i), hn::Load(d, results[1] + i),
                          hn::Load(d, results[2] + i), hn::Load(d, results[3] + i), d, to + 4 * i);
  }
}

void TransposeBlocks(int blocks, const float* from, std::size_t from_step, float* to) {
  for (int block = 0; block < blocks; ++block) {
    TransposeBlock(from + block * from_step, to + block * kBlock * kBlock);
  }
}

using DoubleTag = hn::CappedTag<double, kBlock>;
using NarrowTag = hn::Rebind<float, DoubleTag>;  // as many floats as a vector has doubles
using DoubleVec = hn::Vec<DoubleTag>;
constexpr std::size_t kDoubles = HWY_LANES(double) < kBlock ? HWY_LANES(double) : kBlock;

double DotPass(std::size_t count, const float* a, const float* b) {
  const DoubleTag d;
  const NarrowTag narrow;
  DoubleVec sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kDoubles <= count; i += kDoubles) {
    sum = hn::MulAdd(hn::PromoteTo(d, hn::LoadU(narrow, a + i)),
                     hn::PromoteTo(d, hn::LoadU(narrow, b + i)), sum);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) total += static_cast<double>(a[i]) * b[i];
  return total;
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::fast {

HWY_EXPORT(RmsPropPass);
HWY_EXPORT(TransposeBlocks);
HWY_EXPORT(DotPass);

void rmsprop(const RmsPropStep& step, std::size_t count, float* gradient, float* variances,
             float* means, float* steps, float* parameters) {
  HWY_DYNAMIC_DISPATCH(RmsPropPass)
  (step, count, gradient, variances, means, steps, parameters);
}

void transpose_blocks(int blocks, const float* from, std::size_t from_step, float* to) {
  HWY_DYNAMIC_DISPATCH(TransposeBlocks)(blocks, from, from_step, to);
}

double dot(std::size_t count, const float* a, const float* b) {
  return HWY_DYNAMIC_DISPATCH(DotPass)(count, a, b);
}

}  // namespace gradus::fast
#endif
