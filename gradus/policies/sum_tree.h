#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace gradus {

/// N numbers and the sums of a binary tree over them: setting one and finding a place by its sums
/// take O(log N), setting all to 0 takes O(1). A sum is always that of its two halves as they are,
/// so no rounding builds up, and equal numbers have equal sums however they came about.
class SumTree {
 public:
  explicit SumTree(int size)
      : leaves_(static_cast<int>(std::bit_ceil(static_cast<unsigned>(size)))),
        size_(size),
        nodes_(2 * static_cast<std::size_t>(leaves_)) {}

  int size() const { return size_; }
  double operator[](int place) const { return at(leaves_ + place); }
  double sum() const { return at(1); }

  void set(int place, double value) {
    std::size_t node = leaves_ + place;
    nodes_[node] = {value, epoch_};
    while (node > 1) {
      node /= 2;
      nodes_[node] = {at(2 * node) + at(2 * node + 1), epoch_};
    }
  }

  /// Sets every place to value(place), O(N); value may read the place's number of before.
  template <typename Value>
  void set_all(Value value) {
    for (int i = 0; i < size_; ++i) nodes_[leaves_ + i] = {value(i), epoch_};
    for (std::size_t node = leaves_ - 1; node >= 1; --node) {
      nodes_[node] = {at(2 * node) + at(2 * node + 1), epoch_};
    }
  }

  void clear() { ++epoch_; }

  /// The first place whose predecessors and itself weigh more than `target`; a part of the tree
  /// with sum s over n places weighs weight(s, n). The last place where rounding leaves none.
  template <typename Weight>
  int find(double target, Weight weight) const {
    std::size_t node = 1;
    int first = 0;  // place of the part's first leaf
    for (int half = leaves_ / 2; half >= 1; half /= 2) {
      node *= 2;
      if (first + half >= size_) continue;  // nothing to the right
      const double left = weight(at(node), half);
      if (target < left) continue;
      target -= left;
      ++node;
      first += half;
    }
    return first;
  }

 private:
  struct Node {
    double sum = 0;
    std::uint64_t epoch = 0;  // of the last clear() before it was set
  };

  double at(std::size_t node) const {
    return nodes_[node].epoch == epoch_ ? nodes_[node].sum : 0.0;
  }

  int leaves_;
  int size_;
  std::uint64_t epoch_ = 0;
  std::vector<Node> nodes_;  // node k has halves 2k and 2k + 1
};

}  // namespace gradus
