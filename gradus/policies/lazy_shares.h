// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/policies/prior.h"
#include "gradus/policies/sum_tree.h"

namespace gradus {

/// The shares softmax(w) of Exp3.S without beta, in O(log N) per round. Only one task's weight
/// grows in a round; normalising and sharing then apply the same affine map to every task,
///
///   s_i = (1 - alpha - given) / S s_i + given N pi_0(i)
///
/// with S the sum of s and given = alpha / (N - 1). So the map is stored separately, and the v_i in
/// a SumTree:
///
///   s_i = scale v_i + offset N pi_0(i)
///
/// pi_0 is the prior; N pi_0(i) is 1 if it is uniform. The v_i may be negative. The error of a
/// share is a rounding error of the larger of itself and the offset. From time to time, and before
/// scale or offset leave their range, the map is applied to all v_i, in O(N), so that rounding
/// errors do not accumulate.
class LazyShares {
 public:
  /// Starts from the prior.
  explicit LazyShares(Prior prior);

  int size() const { return values_.size(); }
  const Prior& prior() const { return prior_; }
  double operator[](int task) const {
    return scale_ * values_[task] + offset_ * prior_.relative(task);
  }
  std::vector<double> all() const;
  /// The task at quantile u of (1 - epsilon) s + epsilon pi_0, and the sum of this over the tasks
  /// before `task`.
  int draw(double u, double epsilon) const;
  double below(int task, double epsilon) const;

  /// Multiplies a task's share by exp(exponent), then moves a fraction alpha of every share to the
  /// other tasks; with a prior that is not uniform, a fraction alpha N / (N - 1) to pi_0. `round`
  /// decides when the map is applied. REQUIRES at least two tasks.
  void grow_and_share(int task, double exponent, double alpha, std::uint64_t round);

  /// As in Policy.
  void add_task();
  void remove_task(int task);

  // The saved state. restore() REQUIRES positive shares.
  double scale() const { return scale_; }
  double offset() const { return offset_; }
  double value(int task) const { return values_[task]; }
  /// Changes whenever other values than that of grow_and_share()'s task change.
  std::uint64_t version() const { return version_; }
  void restore(std::span<const double> values, double scale, double offset);

 private:
  double weight_of(std::size_t node, int count, double epsilon) const;
  void set_prior(Prior prior);
  void shrink(int task, double factor, double alpha);
  void grow(int task, double inverse_factor, double alpha);
  bool map_in_range() const;
  void apply_map();

  Prior prior_;
  SumTree relative_;  // N pi_0, if the prior is not uniform
  SumTree values_;
  double scale_ = 1;
  double offset_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace gradus
