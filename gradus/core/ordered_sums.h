// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gradus {

/// Groups of tasks, each in the order of value / base, with sums over ranges of this key. All
/// operations take O(log N). A treap: the priority of a task is a hash of its index, so equal
/// contents have the same shape, and so bit-identical sums, in whatever order they were inserted.
class OrderedSums {
 public:
  struct Sums {
    double values = 0;
    double bases = 0;
    Sums operator+(const Sums& other) const { return {values + other.values, bases + other.bases}; }
  };

  OrderedSums(int tasks, int groups);

  /// insert() REQUIRES that the task is in no group and base > 0, erase() that it is in `group`.
  void insert(int group, int task, double value, double base);
  void erase(int group, int task);

  /// The sums over the tasks of a group with low <= key < high.
  Sums between(int group, double low, double high) const;
  /// The first task of a group, in the order of keys, at which the cumulative sum of scale * value
  /// + offset * base exceeds `target`, or the last task if none does. REQUIRES a group with tasks.
  int find(int group, double target, double scale, double offset) const;

 private:
  struct Node {
    double key = 0;
    Sums own;
    Sums all;  // of the subtree
    std::uint64_t priority = 0;
    int left = -1;
    int right = -1;
  };

  bool before(int task, int other) const;
  Sums sums(int node) const { return node < 0 ? Sums{} : nodes_[node].all; }
  void add_up(int node);
  int inserted(int node, int task);
  int erased(int node, int task);
  int merged(int left, int right);
  void split(int node, int task, int& left, int& right);
  Sums at_least(int node, double low) const;
  Sums below(int node, double high) const;

  std::vector<Node> nodes_;  // by task
  std::vector<int> roots_;   // by group; -1 if empty
};

}  // namespace gradus
