// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace gradus {

/// N numbers and a binary tree of their sums. Setting one number and finding a place by cumulative
/// sum take O(log N); setting all to 0 takes O(1). Each sum is recomputed from its two halves, so
/// rounding errors do not accumulate, and equal numbers have equal sums no matter in which order
/// they were set.
class SumTree {
 public:
  explicit SumTree(int size)
      : leaves_(static_cast<int>(std::bit_ceil(static_cast<unsigned>(size)))),
        size_(size),
        nodes_(2 * static_cast<std::size_t>(leaves_)) {}

  int size() const { return size_; }
  double operator[](int place) const { return at(leaves_ + place); }
  double sum() const { return at(1); }
  /// The sum of a subtree, for the functions below.
  double sum(std::size_t node) const { return at(node); }

  void set(int place, double value) {
    std::size_t node = leaves_ + place;
    nodes_[node] = {value, epoch_};
    while (node > 1) {
      node /= 2;
      nodes_[node] = {at(2 * node) + at(2 * node + 1), epoch_};
    }
  }

  /// Sets every place to value(place), in O(N). value may read the old number of its place.
  template <typename Value>
  void set_all(Value value) {
    for (int i = 0; i < size_; ++i) nodes_[leaves_ + i] = {value(i), epoch_};
    for (std::size_t node = leaves_ - 1; node >= 1; --node) {
      nodes_[node] = {at(2 * node) + at(2 * node + 1), epoch_};
    }
  }

  void clear() { ++epoch_; }

  /// The first place at which the cumulative weight exceeds `target`, or the last place if rounding
  /// leaves none. A subtree of n places has weight weight(node, n).
  template <typename Weight>
  int find(double target, Weight weight) const {
    std::size_t node = 1;
    int first = 0;  // place of the subtree's first leaf
    for (int half = leaves_ / 2; half >= 1; half /= 2) {
      node *= 2;
      if (first + half >= size_) continue;  // nothing to the right
      const double left = weight(node, half);
      if (target < left) continue;
      target -= left;
      ++node;
      first += half;
    }
    return first;
  }

  /// The cumulative weight of the places before `place`, in O(log N).
  template <typename Weight>
  double before(int place, Weight weight) const {
    double total = 0;
    int width = 1;
    for (std::size_t node = leaves_ + place; node > 1; node /= 2, width *= 2) {
      if (node % 2 == 1) total += weight(node - 1, width);
    }
    return total;
  }

 private:
  struct Node {
    double sum = 0;
    std::uint64_t epoch = 0;  // a node of an older epoch counts as 0
  };

  double at(std::size_t node) const {
    return nodes_[node].epoch == epoch_ ? nodes_[node].sum : 0.0;
  }

  int leaves_;
  int size_;
  std::uint64_t epoch_ = 0;
  std::vector<Node> nodes_;  // node k has children 2k and 2k + 1
};

}  // namespace gradus
