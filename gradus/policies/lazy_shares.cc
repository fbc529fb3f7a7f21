// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/lazy_shares.h"

#include <algorithm>
#include <cmath>

#include "gradus/policies/weights.h"

namespace gradus {
namespace {

// The map is applied every max(N, kLeastPeriod) rounds, so the cost is O(1) per round.
constexpr int kLeastPeriod = 1024;

// The map is also applied if the scale leaves 1 / kLargestScale .. kLargestScale. The values are
// about as large as the inverse of the scale.
constexpr double kLargestScale = 1e200;

// The map is also applied if the offset exceeds this many times the mean share. It grows without
// bound if all tasks shrink in turn, and the more it exceeds a share, the more digits that share
// loses.
constexpr double kLargestOffset = 1024;

}  // namespace

LazyShares::LazyShares(Prior prior)
    : prior_(std::move(prior)), relative_(1), values_(prior_.size()) {
  set_prior(prior_);
  values_.set_all([&](int i) { return 1.0 / size() * prior_.relative(i); });
}

void LazyShares::set_prior(Prior prior) {
  prior_ = std::move(prior);
  if (prior_.is_uniform()) return;
  relative_ = SumTree(prior_.size());
  relative_.set_all([this](int i) { return prior_.relative(i); });
}

std::vector<double> LazyShares::all() const {
  std::vector<double> shares(size());
  for (int i = 0; i < size(); ++i) shares[i] = (*this)[i];
  return shares;
}

double LazyShares::weight_of(std::size_t node, int count, double epsilon) const {
  const double each = (1 - epsilon) * offset_ + epsilon / size();
  const double relative = prior_.is_uniform() ? count : relative_.sum(node);
  return (1 - epsilon) * scale_ * values_.sum(node) + each * relative;
}

int LazyShares::draw(double u, double epsilon) const {
  return values_.find(u,
                      [&](std::size_t node, int count) { return weight_of(node, count, epsilon); });
}

double LazyShares::below(int task, double epsilon) const {
  return values_.before(
      task, [&](std::size_t node, int count) { return weight_of(node, count, epsilon); });
}

void LazyShares::add_task() {
  const std::vector<double> shares = with_mean_weight(all());
  Prior prior = prior_;
  prior.add_task();
  set_prior(std::move(prior));
  restore(shares, 1, 0);
}

void LazyShares::remove_task(int task) {
  const std::vector<double> shares = without_weight(all(), task);
  Prior prior = prior_;
  prior.remove_task(task);
  set_prior(std::move(prior));
  restore(shares, 1, 0);
}

void LazyShares::grow_and_share(int task, double exponent, double alpha, std::uint64_t round) {
  if (exponent > 0) {
    grow(task, std::exp(-exponent), alpha);
  } else {
    shrink(task, std::exp(exponent), alpha);
  }
  if (!map_in_range() || round % std::max(size(), kLeastPeriod) == 0) apply_map();
}

void LazyShares::shrink(int task, double factor, double alpha) {
  const double given = alpha / (size() - 1);
  const double base = offset_ * prior_.relative(task);
  values_.set(task, ((*this)[task] * factor - base) / scale_);
  const double sum = scale_ * values_.sum() + offset_ * size();
  const double kept = (1 - alpha - given) / sum;
  scale_ *= kept;
  offset_ = kept * offset_ + given;
}

// Divides the other shares by the factor instead of multiplying by it, since it may overflow.
void LazyShares::grow(int task, double inverse_factor, double alpha) {
  const double given = alpha / (size() - 1);
  const double share = (*this)[task];
  values_.set(task, 0);
  const double relative = prior_.relative(task);
  const double others = scale_ * values_.sum() + offset_ * (size() - relative);
  const double sum = share + inverse_factor * others;
  const double kept = (1 - alpha - given) * inverse_factor / sum;
  const double grown = (1 - alpha - given) * share / sum + given * relative;
  offset_ = kept * offset_ + given;
  if (kept < 0x1p-60 * given) {
    // The others' old shares are smaller than the rounding error of what they are given.
    values_.clear();
    scale_ = 1;
    ++version_;
  } else {
    scale_ *= kept;
  }
  values_.set(task, (grown - offset_ * relative) / scale_);
}

void LazyShares::apply_map() {
  values_.set_all([this](int i) { return (*this)[i]; });
  scale_ = 1;
  offset_ = 0;
  ++version_;
}

bool LazyShares::map_in_range() const {
  return scale_ > 1 / kLargestScale && scale_ < kLargestScale && offset_ >= 0 &&
         offset_ * size() <= kLargestOffset;
}

void LazyShares::restore(std::span<const double> values, double scale, double offset) {
  values_ = SumTree(static_cast<int>(values.size()));
  values_.set_all([&](int i) { return values[i]; });
  scale_ = scale;
  offset_ = offset;
  ++version_;
  if (!map_in_range()) apply_map();
}

}  // namespace gradus
