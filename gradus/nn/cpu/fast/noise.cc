// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/fast/noise.h"

#include <numbers>

#include "gradus/core/random.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/nn/cpu/fast/noise.cc"
#include "gradus/nn/cpu/fast/softplus-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

using DoubleTag = hn::CappedTag<double, kBlock>;
using DoubleVec = hn::Vec<DoubleTag>;
constexpr std::size_t kDoubles = HWY_LANES(double) < kBlock ? HWY_LANES(double) : kBlock;

using WordTag = hn::RebindToUnsigned<DoubleTag>;  // one 32-bit number per 64-bit lane
using Words = hn::Vec<WordTag>;
using PackedTag = hn::RebindToUnsigned<FloatTag>;  // one 32-bit number per 32-bit lane
using Packed = hn::Vec<PackedTag>;

HWY_INLINE Words Product(Words a, std::uint32_t b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(WordTag(), hn::GetLane(a) * b);
#else
  const hn::Repartition<std::uint32_t, WordTag> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, hn::Set(WordTag(), b)));
#endif
}

// Interleaves the numbers of even and of odd lanes.
HWY_INLINE Packed Join(Words even, Words odd) {
#if HWY_TARGET == HWY_SCALAR
  static_cast<void>(odd);
  return hn::Set(PackedTag(), static_cast<std::uint32_t>(hn::GetLane(even)));
#else
  return hn::BitCast(PackedTag(), hn::Or(even, hn::ShiftLeft<32>(odd)));
#endif
}

// Philox 4x32-10 (Salmon et al. 2011), one counter per lane.
HWY_INLINE void Philox(Words (&counter)[4], std::uint32_t key0, std::uint32_t key1) {
  const WordTag d;
  const Words low = hn::Set(d, 0xffffffffu);
  for (int round = 0; round < 10; ++round) {
    const Words a = Product(counter[0], 0xD2511F53u);
    const Words b = Product(counter[2], 0xCD9E8D57u);
    counter[0] =
        hn::Xor(hn::Xor(hn::ShiftRight<32>(b), counter[1]), hn::Set(d, std::uint64_t{key0}));
    counter[1] = hn::And(b, low);
    counter[2] =
        hn::Xor(hn::Xor(hn::ShiftRight<32>(a), counter[3]), hn::Set(d, std::uint64_t{key1}));
    counter[3] = hn::And(a, low);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

// Generates the four random numbers of each block in `blocks`.
HWY_INLINE void RandomBlocks(std::uint64_t seed, std::uint64_t update, Words blocks,
                             Words (&numbers)[4]) {
  const WordTag d;
  numbers[0] = hn::And(blocks, hn::Set(d, 0xffffffffu));
  numbers[1] = hn::Set(d, static_cast<std::uint64_t>(Purpose::kWeightNoise) << 24);
  numbers[2] = hn::Set(d, update & 0xffffffffu);
  numbers[3] = hn::Set(d, update >> 32);
  Philox(numbers, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
}

HWY_INLINE DoubleVec ToDouble(Words words) {
  const DoubleTag d;
  // The bit pattern of 2^52 + the number has the number in its low bits.
  const Words shifted = hn::Or(words, hn::Set(WordTag(), 0x4330000000000000u));
  return hn::Sub(hn::BitCast(d, shifted), hn::Set(d, 0x1p52));
}

HWY_INLINE DoubleVec Radius(Words words) {
  const DoubleTag d;
  const DoubleVec u = hn::Mul(hn::Add(ToDouble(words), hn::Set(d, 0.5)), hn::Set(d, 0x1p-32));
  return hn::Sqrt(hn::Mul(hn::Set(d, -2.0), hn::Log(d, u)));
}

HWY_INLINE DoubleVec Angle(Words words) {
  const DoubleTag d;
  return hn::Mul(ToDouble(words), hn::Set(d, 0x1p-32 * 2 * std::numbers::pi));
}

void NormalChunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk,
                 double* HWY_RESTRICT normals) {
  const DoubleTag d;
  const std::uint64_t first = chunk * (kNoiseChunk / 4);
  for (std::size_t block = 0; block < kNoiseChunk / 4; block += kDoubles) {
    Words numbers[4];
    RandomBlocks(seed, update, hn::Iota(WordTag(), first + block), numbers);
    const DoubleVec r0 = Radius(numbers[0]);
    const DoubleVec r1 = Radius(numbers[2]);
    const DoubleVec a0 = Angle(numbers[1]);
    const DoubleVec a1 = Angle(numbers[3]);
    hn::StoreInterleaved4(hn::Mul(r0, hn::Cos(d, a0)), hn::Mul(r0, hn::Sin(d, a0)),
                          hn::Mul(r1, hn::Cos(d, a1)), hn::Mul(r1, hn::Sin(d, a1)), d,
                          normals + 4 * block);
  }
}

HWY_INLINE hn::Mask<FloatTag> HighestBit(Packed words) {
  const hn::RebindToSigned<FloatTag> di;
  return hn::RebindMask(FloatTag(), hn::Lt(hn::BitCast(di, words), hn::Zero(di)));
}

// sqrt(-2 log(u)) for u = (word + 1/2) / 2^32. For u above 1/2, compute it from 1 - u, which float
// represents accurately.
HWY_INLINE Vec Radius(Packed words) {
  const FloatTag d;
  const hn::RebindToSigned<FloatTag> di;
  const auto folded = hn::BitCast(di, hn::Min(words, hn::Not(words)));
  const Vec x = hn::Mul(hn::Add(hn::ConvertTo(d, folded), hn::Set(d, 0.5f)), hn::Set(d, 0x1p-32f));
  const Vec log = hn::IfThenElse(HighestBit(words), Log1pNear(d, hn::Neg(x)), hn::Log(d, x));
  return hn::Sqrt(hn::Mul(hn::Set(d, -2.0f), log));
}

// Cosine and sine of 2 pi word / 2^32. Removes whole quarter turns in integer arithmetic and
// evaluates Taylor series on the remainder, at most an eighth of a turn.
HWY_INLINE void Direction(Packed words, Vec& cosine, Vec& sine) {
  const FloatTag d;
  const PackedTag du;
  const hn::RebindToSigned<FloatTag> di;
  constexpr std::uint32_t kEighth = 1u << 29;
  const Packed turned = hn::Add(words, hn::Set(du, kEighth));
  const Packed quarters = hn::ShiftRight<30>(turned);
  const Packed rest = hn::Sub(hn::And(turned, hn::Set(du, 2 * kEighth - 1)), hn::Set(du, kEighth));
  const Vec x = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, rest)),
                        hn::Set(d, static_cast<float>(0x1p-32 * 2 * std::numbers::pi)));
  const Vec xx = hn::Mul(x, x);
  Vec s = hn::Set(d, 1.0f / 362880);
  s = hn::MulAdd(s, xx, hn::Set(d, -1.0f / 5040));
  s = hn::MulAdd(s, xx, hn::Set(d, 1.0f / 120));
  s = hn::MulAdd(s, xx, hn::Set(d, -1.0f / 6));
  s = hn::MulAdd(hn::Mul(s, xx), x, x);
  Vec c = hn::Set(d, -1.0f / 3628800);
  c = hn::MulAdd(c, xx, hn::Set(d, 1.0f / 40320));
  c = hn::MulAdd(c, xx, hn::Set(d, -1.0f / 720));
  c = hn::MulAdd(c, xx, hn::Set(d, 1.0f / 24));
  c = hn::MulAdd(c, xx, hn::Set(d, -0.5f));
  c = hn::MulAdd(c, xx, hn::Set(d, 1.0f));
  const auto odd = HighestBit(hn::ShiftLeft<31>(quarters));
  const auto sign = [&](Packed half_turns) {
    return hn::BitCast(d, hn::And(hn::ShiftLeft<30>(half_turns), hn::Set(du, 0x80000000u)));
  };
  cosine = hn::Xor(hn::IfThenElse(odd, s, c), sign(hn::Add(quarters, hn::Set(du, 1))));
  sine = hn::Xor(hn::IfThenElse(odd, c, s), sign(quarters));
}

void NormalChunkFloat(std::uint64_t seed, std::uint64_t update, std::size_t chunk,
                      float* HWY_RESTRICT normals) {
  const FloatTag d;
  const WordTag words;
  const std::uint64_t first = chunk * (kNoiseChunk / 4);
  for (std::size_t block = 0; block < kNoiseChunk / 4; block += kLanes) {
    const Words places = hn::ShiftLeft<1>(hn::Iota(words, 0));
    const Words blocks = hn::Add(places, hn::Set(words, first + block));
    Words even[4], odd[4];
    RandomBlocks(seed, update, blocks, even);
    RandomBlocks(seed, update, hn::Add(blocks, hn::Set(words, 1)), odd);
    const auto number = [&](int k) { return Join(even[k], odd[k]); };
    const Vec r0 = Radius(number(0));
    const Vec r1 = Radius(number(2));
    Vec c0, s0, c1, s1;
    Direction(number(1), c0, s0);
    Direction(number(3), c1, s1);
    hn::StoreInterleaved4(hn::Mul(r0, c0), hn::Mul(r0, s0), hn::Mul(r1, c1), hn::Mul(r1, s1), d,
                          normals + 4 * block);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::fast {

HWY_EXPORT(NormalChunk);
HWY_EXPORT(NormalChunkFloat);

void normal_chunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk, double* normals) {
  HWY_DYNAMIC_DISPATCH(NormalChunk)(seed, update, chunk, normals);
}

void normal_chunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk, float* normals) {
  HWY_DYNAMIC_DISPATCH(NormalChunkFloat)(seed, update, chunk, normals);
}

}  // namespace gradus::fast
#endif
