// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/lazy_shares.h"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

// The map is applied every max(N, kLeastPeriod) rounds, so the cost is O(1) per round.
constexpr int kLeastPeriod = 1024;

// The map is also applied if the scale leaves 1 / kLargestScale .. kLargestScale. The values are
// about as large as the inverse of the scale.
constexpr double kLargestScale = 1e200;

// Nor may the offset exceed this many times the mean share. It grows without bound if all tasks
// shrink in turn, and what it exceeds the shares by is lost to rounding.
constexpr double kLargestOffset = 1024;

}  // namespace

LazyShares::LazyShares(int tasks) : values_(tasks) {
  values_.set_all([&](int) { return 1.0 / tasks; });
}

std::vector<double> LazyShares::all() const {
  std::vector<double> shares(size());
  for (int i = 0; i < size(); ++i) shares[i] = (*this)[i];
  return shares;
}

int LazyShares::draw(double u, double epsilon) const {
  const double each = (1 - epsilon) * offset_ + epsilon / size();
  return values_.find(
      u, [&](double sum, int count) { return (1 - epsilon) * scale_ * sum + each * count; });
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
  values_.set(task, ((*this)[task] * factor - offset_) / scale_);
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
  const double others = scale_ * values_.sum() + offset_ * (size() - 1);
  const double sum = share + inverse_factor * others;
  const double kept = (1 - alpha - given) * inverse_factor / sum;
  const double grown = (1 - alpha - given) * share / sum + given;
  offset_ = kept * offset_ + given;
  if (kept < 0x1p-60 * given) {
    // The others' old shares are smaller than the rounding error of what they are given.
    values_.clear();
    scale_ = 1;
  } else {
    scale_ *= kept;
  }
  values_.set(task, (grown - offset_) / scale_);
}

void LazyShares::apply_map() {
  values_.set_all([this](int i) { return (*this)[i]; });
  scale_ = 1;
  offset_ = 0;
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
  if (!map_in_range()) apply_map();
}

}  // namespace gradus
