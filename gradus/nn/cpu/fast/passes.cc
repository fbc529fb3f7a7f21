#include "gradus/nn/cpu/fast/passes.h"

#include <numbers>

#include "gradus/core/random.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/nn/cpu/fast/passes.cc"
#include "gradus/nn/cpu/fast/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

using One = hn::CappedTag<float, 1>;  // what is left over past whole vectors

template <class D>
HWY_INLINE void RmsPropAt(D d, const RmsPropStep& step, std::size_t i,
                          const float* HWY_RESTRICT gradient, float* HWY_RESTRICT variances,
                          float* HWY_RESTRICT means, float* HWY_RESTRICT steps,
                          float* HWY_RESTRICT parameters) {
  const auto g = hn::Mul(hn::Set(d, step.scale), hn::LoadU(d, gradient + i));
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
  hn::StoreU(hn::Add(hn::LoadU(d, parameters + i), moved), d, parameters + i);
}

void RmsPropPass(const RmsPropStep& step, std::size_t count, const float* gradient,
                 float* variances, float* means, float* steps, float* parameters) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    RmsPropAt(FloatTag(), step, i, gradient, variances, means, steps, parameters);
  }
  for (; i < count; ++i) {
    RmsPropAt(One(), step, i, gradient, variances, means, steps, parameters);
  }
}

template <class D>
HWY_INLINE void SampleAt(D d, std::size_t i, const float* HWY_RESTRICT mu,
                         const float* HWY_RESTRICT rho, const float* HWY_RESTRICT noise,
                         float* HWY_RESTRICT theta) {
  const auto x = hn::LoadU(d, rho + i);
  // log(1 + exp(x)) without overflow.
  const auto width =
      hn::Add(hn::Max(hn::Zero(d), x), hn::Log1p(d, hn::Exp(d, hn::Neg(hn::Abs(x)))));
  hn::StoreU(hn::MulAdd(width, hn::LoadU(d, noise + i), hn::LoadU(d, mu + i)), d, theta + i);
}

void SamplePass(std::size_t count, const float* mu, const float* rho, const float* noise,
                float* theta) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) SampleAt(FloatTag(), i, mu, rho, noise, theta);
  for (; i < count; ++i) SampleAt(One(), i, mu, rho, noise, theta);
}

using DoubleTag = hn::CappedTag<double, kBlock>;
using HalfTag = hn::Rebind<float, DoubleTag>;  // as many floats as a vector has doubles
using DoubleVec = hn::Vec<DoubleTag>;
constexpr std::size_t kDoubles = HWY_LANES(double) < kBlock ? HWY_LANES(double) : kBlock;

double DotPass(std::size_t count, const float* a, const float* b) {
  const DoubleTag d;
  const HalfTag half;
  DoubleVec sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kDoubles <= count; i += kDoubles) {
    sum = hn::MulAdd(hn::PromoteTo(d, hn::LoadU(half, a + i)),
                     hn::PromoteTo(d, hn::LoadU(half, b + i)), sum);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) total += static_cast<double>(a[i]) * b[i];
  return total;
}

using WordTag = hn::RebindToUnsigned<DoubleTag>;  // a 32-bit number in each 64-bit lane
using Words = hn::Vec<WordTag>;

HWY_INLINE Words Product(Words a, std::uint32_t b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(WordTag(), hn::GetLane(a) * b);
#else
  const hn::Repartition<std::uint32_t, WordTag> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, hn::Set(WordTag(), b)));
#endif
}

// Philox 4x32-10 (Salmon et al. 2011) on one counter a lane.
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

HWY_INLINE DoubleVec ToDouble(Words words) {
  const DoubleTag d;
  // The number becomes the low bits of 2^52 plus it.
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
  const WordTag words;
  const std::uint64_t first = chunk * (kNoiseChunk / 4);
  const std::uint64_t purpose = static_cast<std::uint64_t>(Purpose::kWeightNoise) << 24;
  for (std::size_t block = 0; block < kNoiseChunk / 4; block += kDoubles) {
    Words counter[4] = {hn::And(hn::Iota(words, first + block), hn::Set(words, 0xffffffffu)),
                        hn::Set(words, purpose), hn::Set(words, update & 0xffffffffu),
                        hn::Set(words, update >> 32)};
    Philox(counter, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
    const DoubleVec r0 = Radius(counter[0]);
    const DoubleVec r1 = Radius(counter[2]);
    const DoubleVec a0 = Angle(counter[1]);
    const DoubleVec a1 = Angle(counter[3]);
    hn::StoreInterleaved4(hn::Mul(r0, hn::Cos(d, a0)), hn::Mul(r0, hn::Sin(d, a0)),
                          hn::Mul(r1, hn::Cos(d, a1)), hn::Mul(r1, hn::Sin(d, a1)), d,
                          normals + 4 * block);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::fast {

HWY_EXPORT(RmsPropPass);
HWY_EXPORT(SamplePass);
HWY_EXPORT(DotPass);
HWY_EXPORT(NormalChunk);

void rmsprop(const RmsPropStep& step, std::size_t count, const float* gradient, float* variances,
             float* means, float* steps, float* parameters) {
  HWY_DYNAMIC_DISPATCH(RmsPropPass)
  (step, count, gradient, variances, means, steps, parameters);
}

void sample_weights(std::size_t count, const float* mu, const float* rho, const float* noise,
                    float* theta) {
  HWY_DYNAMIC_DISPATCH(SamplePass)(count, mu, rho, noise, theta);
}

double dot(std::size_t count, const float* a, const float* b) {
  return HWY_DYNAMIC_DISPATCH(DotPass)(count, a, b);
}

void normal_chunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk, double* normals) {
  HWY_DYNAMIC_DISPATCH(NormalChunk)(seed, update, chunk, normals);
}

}  // namespace gradus::fast
#endif
