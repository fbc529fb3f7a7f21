// SPDX-License-Identifier: Apache-2.0
// Float versions of the functions of posterior.h.

#include "gradus/nn/cpu/posterior.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/nn/cpu/fast/posterior.cc"
#include "gradus/nn/cpu/fast/softplus-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

using Group = PosteriorGroup<float>;
using Gradient = PosteriorGradient<float>;
using One = hn::CappedTag<float, 1>;  // for the remainder after whole vectors

// Weights whose terms are summed in float before the sum is added in double.
constexpr std::size_t kSummed = 256;

template <class D>
HWY_INLINE void SampleAt(D d, const Group& group, const float* HWY_RESTRICT noise, std::size_t i,
                         float* HWY_RESTRICT theta) {
  const auto width = WidthOf(d, hn::LoadU(d, group.rho + i)).value;
  hn::StoreU(hn::MulAdd(width, hn::LoadU(d, noise + i), hn::LoadU(d, group.mu + i)), d, theta + i);
}

void SamplePass(const Group& group, const float* noise, float* theta) {
  std::size_t i = 0;
  for (; i + kLanes <= group.count; i += kLanes) SampleAt(FloatTag(), group, noise, i, theta);
  for (; i < group.count; ++i) SampleAt(One(), group, noise, i, theta);
}

// One weight per lane.
template <class V>
struct Sums {
  V prior_mean, prior_width, gradient_norm, kl_dot_gradient;
};

template <class V>
struct Prior {
  V mu;
  V per_width;  // 1 / sigma_q
  V slope;      // derivative of sigma_q by its rho
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE Prior<V> PriorOf(D d, V mu, V rho) {
  const Width<V> width = WidthOf(d, rho);
  return {mu, hn::Div(hn::Set(d, 1.0f), width.value), width.slope};
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE Sums<V> GradientAt(D d, const Group& group, const Prior<V>& prior,
                              const float* HWY_RESTRICT noise, float share, std::size_t i,
                              const Gradient& to) {
  const V one = hn::Set(d, 1.0f);
  const V shared = hn::Set(d, share);
  const V precision = hn::Mul(prior.per_width, prior.per_width);
  const Width<V> sigma = WidthOf(d, hn::LoadU(d, group.rho + i));
  const V offset = hn::Sub(hn::LoadU(d, group.mu + i), prior.mu);
  const V kl_mu = hn::Mul(offset, precision);
  const V kl_rho =
      hn::Mul(hn::MulSub(sigma.value, precision, hn::Div(one, sigma.value)), sigma.slope);
  const V squares = hn::MulAdd(offset, offset, hn::Mul(sigma.value, sigma.value));
  const V kl_width = hn::Mul(hn::NegMulAdd(squares, precision, one), prior.per_width);
  const V data_mu = hn::LoadU(d, to.mu + i);
  const V data_rho = hn::Mul(hn::Mul(data_mu, hn::LoadU(d, noise + i)), sigma.slope);
  hn::StoreU(hn::MulAdd(kl_mu, shared, data_mu), d, to.mu + i);
  hn::StoreU(hn::MulAdd(kl_rho, shared, data_rho), d, to.rho + i);
  if (group.own_prior) {
    hn::StoreU(hn::Neg(hn::Mul(kl_mu, shared)), d, to.prior_mu + i);
    hn::StoreU(hn::Mul(hn::Mul(kl_width, prior.slope), shared), d, to.prior_rho + i);
  }
  return {hn::Neg(kl_mu), kl_width, hn::MulAdd(data_mu, data_mu, hn::Mul(data_rho, data_rho)),
          hn::MulAdd(kl_mu, data_mu, hn::Mul(kl_rho, data_rho))};
}

// Handles weights [first, last): whole vectors with FloatTag, single weights with One.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void AddGradients(D d, const Group& group, const float* noise, float share,
                             std::size_t first, std::size_t last, const Gradient& to,
                             PosteriorSums& sums) {
  Prior<V> prior = PriorOf(d, hn::Set(d, *group.prior_mu), hn::Set(d, *group.prior_rho));
  Sums<V> sum = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  for (std::size_t i = first; i < last; i += hn::Lanes(d)) {
    if (group.own_prior) {
      prior = PriorOf(d, hn::LoadU(d, group.prior_mu + i), hn::LoadU(d, group.prior_rho + i));
    }
    const Sums<V> at = GradientAt(d, group, prior, noise, share, i, to);
    sum = {hn::Add(sum.prior_mean, at.prior_mean), hn::Add(sum.prior_width, at.prior_width),
           hn::Add(sum.gradient_norm, at.gradient_norm),
           hn::Add(sum.kl_dot_gradient, at.kl_dot_gradient)};
  }
  const auto total = [d](V lanes) { return double{hn::GetLane(hn::SumOfLanes(d, lanes))}; };
  sums.prior_mean += total(sum.prior_mean);
  sums.prior_width += total(sum.prior_width);
  sums.gradient_norm += total(sum.gradient_norm);
  sums.kl_dot_gradient += total(sum.kl_dot_gradient);
}

PosteriorSums GradientPass(const Group& group, const float* noise, double share,
                           const Gradient& to) {
  PosteriorSums sums;
  const auto shared = static_cast<float>(share);
  const std::size_t whole = group.count - group.count % kLanes;
  for (std::size_t first = 0; first < whole; first += kSummed) {
    AddGradients(FloatTag(), group, noise, shared, first, std::min(first + kSummed, whole), to,
                 sums);
  }
  AddGradients(One(), group, noise, shared, whole, group.count, to, sums);
  return sums;
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::fast {

HWY_EXPORT(SamplePass);
HWY_EXPORT(GradientPass);

}  // namespace gradus::fast

namespace gradus {

void sample_weights(const PosteriorGroup<float>& group, const float* noise, float* theta) {
  using namespace fast;
  HWY_DYNAMIC_DISPATCH(SamplePass)(group, noise, theta);
}

PosteriorSums posterior_gradient(const PosteriorGroup<float>& group, const float* noise,
                                 double share, const PosteriorGradient<float>& gradient) {
  using namespace fast;
  return HWY_DYNAMIC_DISPATCH(GradientPass)(group, noise, share, gradient);
}

}  // namespace gradus
#endif
