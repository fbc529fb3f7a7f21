// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gradus {

/// A multiset of at most `capacity` numbers in numbered slots: a treap whose node i is slot i.
/// Insertion, replacement and rank queries take O(log n). Equal numbers are ordered by slot.
class OrderedSlots {
 public:
  explicit OrderedSlots(std::uint32_t capacity) : capacity_(capacity) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::uint32_t capacity() const { return capacity_; }
  double value(std::uint32_t slot) const { return nodes_[slot].value; }

  /// Fills the next free slot. REQUIRES size() < capacity() and a value that is not NaN.
  void push(double value);
  /// Puts `value` in a filled slot. REQUIRES slot < size() and a value that is not NaN.
  void replace(std::uint32_t slot, double value);
  /// The rank-th smallest number, counting from 0. REQUIRES rank < size().
  double at_rank(std::uint32_t rank) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Node {
    double value = 0;
    std::uint32_t priority = 0;
    std::uint32_t count = 0;  // number of nodes in the subtree
    std::uint32_t left = kNone;
    std::uint32_t right = kNone;
  };

  bool before(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t count(std::uint32_t node) const { return node == kNone ? 0 : nodes_[node].count; }
  void recount(std::uint32_t node);
  void insert(std::uint32_t& root, std::uint32_t node);
  void erase(std::uint32_t& root, std::uint32_t node);
  void split(std::uint32_t root, std::uint32_t key, std::uint32_t& low, std::uint32_t& high);
  std::uint32_t merge(std::uint32_t low, std::uint32_t high);

  // Grows as slots are filled: a saved syllabus may name any capacity.
  std::vector<Node> nodes_;
  std::uint32_t root_ = kNone;
  std::uint32_t capacity_;
};

/// A uniform random sample of the numbers seen so far (algorithm R, Vitter 1985): each of them is
/// in the sample with the same probability. Which numbers it keeps is a pure function of the seed
/// and the number of values seen.
class Reservoir {
 public:
  Reservoir(std::uint32_t capacity, std::uint64_t seed);

  std::uint32_t capacity() const { return slots_.capacity(); }
  std::uint32_t size() const { return slots_.size(); }
  std::uint64_t seen() const { return seen_; }
  std::uint64_t seed() const { return seed_; }

  void add(double value);
  /// Quantile by linear interpolation between order statistics, at position p (n - 1).
  /// REQUIRES size() > 0 and 0 <= p <= 1.
  double quantile(double p) const;

  /// The sample in slot order. Together with seen() this is the whole state.
  std::vector<double> values() const;
  /// REQUIRES values.size() == min(seen, capacity), and no NaN.
  void restore(const std::vector<double>& values, std::uint64_t seen);

 private:
  OrderedSlots slots_;
  std::uint64_t seed_;
  std::uint64_t seen_ = 0;
};

}  // namespace gradus
