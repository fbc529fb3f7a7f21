// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/fast/scores.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/nn/cpu/fast/scores.cc"
#include "gradus/nn/cpu/fast/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

using DoubleTag = hn::CappedTag<double, kBlock>;
using HalfTag = hn::Rebind<float, DoubleTag>;  // as many floats as a vector has doubles
using DoubleVec = hn::Vec<DoubleTag>;
constexpr int kDoubles = static_cast<int>(HWY_LANES(double) < kBlock ? HWY_LANES(double) : kBlock);

// Outputs [first, first + kDoubles) of a row. `rest` is the number of outputs from `first` on, and
// may be below 1.
struct Piece {
  float* at;
  int first;
  int rest;
};

HWY_INLINE Piece PieceOf(const Panels<float>& logits, int row, int first, int width) {
  return {logits.block(first / kBlock) + row * logits.row + first % kBlock, first, width - first};
}

HWY_INLINE hn::Mask<DoubleTag> Existing(const Piece& piece) {
  return hn::FirstN(DoubleTag(), static_cast<std::size_t>(std::clamp(piece.rest, 0, kDoubles)));
}

HWY_INLINE DoubleVec Load(const Piece& piece) {
  return hn::PromoteTo(DoubleTag(), hn::LoadU(HalfTag(), piece.at));
}

HWY_INLINE void Store(DoubleVec value, const Piece& piece) {
  hn::StoreU(hn::DemoteTo(HalfTag(), value), HalfTag(), piece.at);
}

// exp(x) that preserves NaN.
HWY_INLINE DoubleVec ExpOf(DoubleVec x) {
  return hn::Add(hn::Exp(DoubleTag(), x), hn::Sub(x, x));
}

// Mask of the piece's outputs whose bit is set.
HWY_INLINE hn::Mask<DoubleTag> BitsOn(std::uint32_t bits, const Piece& piece) {
  const DoubleTag d;
  const hn::RebindToUnsigned<DoubleTag> du;
  const auto bit = hn::Shl(hn::Set(du, 1), hn::Iota(du, static_cast<std::uint64_t>(piece.first)));
  return hn::MaskFromVec(hn::BitCast(d, hn::VecFromMask(du, hn::TestBit(hn::Set(du, bits), bit))));
}

// -log p(y) = log(1 + exp(-|z|)) + max(z, 0) - y z for each output.
void ScoreBits(int width, int row, std::uint32_t target, float scale, const Panels<float>& logits,
               double* loss, std::uint8_t* wrong) {
  const DoubleTag d;
  const DoubleVec zero = hn::Zero(d);
  const DoubleVec one = hn::Set(d, 1.0);
  DoubleVec sum = zero;
  bool any_wrong = false;
  for (int first = 0; first < blocks_of(width) * kBlock; first += kDoubles) {
    const Piece piece = PieceOf(logits, row, first, width);
    const auto existing = Existing(piece);
    const DoubleVec z = Load(piece);
    const auto on = BitsOn(target, piece);
    const DoubleVec e = ExpOf(hn::Neg(hn::Abs(z)));
    const DoubleVec nats =
        hn::Sub(hn::Add(hn::Log1p(d, e), hn::Max(zero, z)), hn::IfThenElseZero(on, z));
    sum = hn::Add(sum, hn::IfThenElseZero(existing, nats));
    any_wrong = any_wrong || !hn::AllFalse(d, hn::And(existing, hn::Xor(hn::Gt(z, zero), on)));
    if (scale == 0) continue;
    const DoubleVec p = hn::Div(hn::IfThenElse(hn::Ge(z, zero), one, e), hn::Add(one, e));
    const DoubleVec slope =
        hn::Mul(hn::Set(d, double{scale}), hn::Sub(p, hn::IfThenElseZero(on, one)));
    Store(hn::IfThenElseZero(existing, slope), piece);
  }
  *loss = hn::GetLane(hn::SumOfLanes(d, sum));
  *wrong = any_wrong ? 1 : 0;
}

HWY_INLINE float* Logit(const Panels<float>& logits, int row, int output) {
  return logits.block(output / kBlock) + row * logits.row + output % kBlock;
}

float Largest(int width, int row, const Panels<float>& logits) {
  float largest = *Logit(logits, row, 0);
  for (int j = 1; j < width; ++j) largest = std::max(largest, *Logit(logits, row, j));
  return largest;
}

// True if a token before the target also has the largest logit: the first such token is the answer.
bool EarlierHas(float largest, int target, int row, const Panels<float>& logits) {
  for (int j = 0; j < target; ++j) {
    if (*Logit(logits, row, j) == largest) return true;
  }
  return false;
}

// -log p(y) = log(sum of exp(z - top)) + top - z_y.
void ScoreToken(int width, int row, std::uint32_t target, float scale, const Panels<float>& logits,
                double* loss, std::uint8_t* wrong) {
  const DoubleTag d;
  const int place = static_cast<int>(target);
  const float largest = Largest(width, row, logits);
  const float target_logit = *Logit(logits, row, place);
  *wrong = target_logit != largest || EarlierHas(largest, place, row, logits) ? 1 : 0;
  const DoubleVec top = hn::Set(d, double{largest});
  const int padded = blocks_of(width) * kBlock;
  DoubleVec sum = hn::Zero(d);
  for (int first = 0; first < padded; first += kDoubles) {
    const Piece piece = PieceOf(logits, row, first, width);
    const DoubleVec e = ExpOf(hn::Sub(Load(piece), top));
    sum = hn::Add(sum, hn::IfThenElseZero(Existing(piece), e));
  }
  const double total = hn::GetLane(hn::SumOfLanes(d, sum));
  *loss = std::log(total) + largest - target_logit;
  if (scale == 0) return;
  const DoubleVec factor = hn::Set(d, scale / total);
  for (int first = 0; first < padded; first += kDoubles) {
    const Piece piece = PieceOf(logits, row, first, width);
    const DoubleVec p = hn::Mul(factor, ExpOf(hn::Sub(Load(piece), top)));
    Store(hn::IfThenElseZero(Existing(piece), p), piece);
  }
  // Computed in double, so that p - 1 near 0 keeps its digits.
  *Logit(logits, row, place) = static_cast<float>(
      scale * (std::exp(static_cast<double>(target_logit) - largest) - total) / total);
}

void ScoreRows(const OutputSpec& output, int rows, const std::uint32_t* targets, float scale,
               const Panels<float>& logits, double* losses, std::uint8_t* wrong) {
  for (int row = 0; row < rows; ++row) {
    if (output.kind == OutputKind::kSigmoid) {
      ScoreBits(output.width, row, targets[row], scale, logits, losses + row, wrong + row);
    } else {
      ScoreToken(output.width, row, targets[row], scale, logits, losses + row, wrong + row);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::fast {

HWY_EXPORT(ScoreRows);

void score_rows(const OutputSpec& output, int rows, const std::uint32_t* targets,
                float gradient_scale, const Panels<float>& logits, double* losses,
                std::uint8_t* wrong) {
  HWY_DYNAMIC_DISPATCH(ScoreRows)
  (output, rows, targets, gradient_scale, logits, losses, wrong);
}

}  // namespace gradus::fast
#endif
