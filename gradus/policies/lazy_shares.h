#pragma once

#include <cstdint>
#include <span>

#include "gradus/policies/sum_tree.h"

namespace gradus {

/// The shares softmax(w) of Exp3.S without beta, in O(log N) a round. Only one task's weight grows
/// in a round, and what normalising and sharing then do is the same affine map for every task,
///
///   s_i = (1 - alpha - given) / S s_i + given,    S = sum of s,    given = alpha / (N - 1)
///
/// so the map is kept aside: s_i = scale v_i + offset, and the v_i lie in a tree of sums. They may
/// be negative; a share is right to a rounding of the larger of itself and the offset, which is
/// about 1 / N at most. Every so many rounds the map is applied to all, O(N), which keeps its
/// factors from collecting rounding errors or leaving the range of numbers.
class LazyShares {
 public:
  explicit LazyShares(int tasks);

  int size() const { return values_.size(); }
  double operator[](int task) const { return scale_ * values_[task] + offset_; }
  /// The task at quantile u of (1 - epsilon) s + epsilon / N.
  int draw(double u, double epsilon) const;

  /// Multiplies a task's share by exp(exponent), then every task gives alpha of what it has to the
  /// others. `round` decides when the map is applied to all. REQUIRES two tasks or more.
  void grow_and_share(int task, double exponent, double alpha, std::uint64_t round);

  // What a saved state holds. REQUIRES positive shares.
  double scale() const { return scale_; }
  double offset() const { return offset_; }
  double value(int task) const { return values_[task]; }
  void restore(std::span<const double> values, double scale, double offset);

 private:
  void shrink(int task, double factor, double alpha);
  void grow(int task, double inverse_factor, double alpha);
  void apply_map();

  SumTree values_;
  double scale_ = 1;
  double offset_ = 0;
};

}  // namespace gradus
