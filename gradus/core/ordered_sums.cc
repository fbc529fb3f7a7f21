// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/ordered_sums.h"

#include "gradus/core/hash.h"

namespace gradus {

OrderedSums::OrderedSums(int tasks, int groups) : nodes_(tasks), roots_(groups, -1) {
  for (int task = 0; task < tasks; ++task) {
    nodes_[task].priority = mix_bits(static_cast<std::uint64_t>(task));
  }
}

void OrderedSums::insert(int group, int task, double value, double base) {
  Node& node = nodes_[task];
  node.key = value / base;
  node.own = node.all = {value, base};
  node.left = node.right = -1;
  roots_[group] = inserted(roots_[group], task);
}

void OrderedSums::erase(int group, int task) {
  roots_[group] = erased(roots_[group], task);
}

bool OrderedSums::before(int task, int other) const {
  const double a = nodes_[task].key;
  const double b = nodes_[other].key;
  return a < b || (a == b && task < other);
}

void OrderedSums::add_up(int node) {
  Node& at = nodes_[node];
  at.all = sums(at.left) + at.own + sums(at.right);
}

int OrderedSums::inserted(int node, int task) {
  if (node < 0) return task;
  Node& at = nodes_[node];
  if (nodes_[task].priority > at.priority) {
    split(node, task, nodes_[task].left, nodes_[task].right);
    add_up(task);
    return task;
  }
  if (before(task, node)) {
    at.left = inserted(at.left, task);
  } else {
    at.right = inserted(at.right, task);
  }
  add_up(node);
  return node;
}

int OrderedSums::erased(int node, int task) {
  Node& at = nodes_[node];
  if (node == task) return merged(at.left, at.right);
  if (before(task, node)) {
    at.left = erased(at.left, task);
  } else {
    at.right = erased(at.right, task);
  }
  add_up(node);
  return node;
}

// All tasks of `left` are before all of `right`.
int OrderedSums::merged(int left, int right) {
  if (left < 0) return right;
  if (right < 0) return left;
  if (nodes_[left].priority > nodes_[right].priority) {
    nodes_[left].right = merged(nodes_[left].right, right);
    add_up(left);
    return left;
  }
  nodes_[right].left = merged(left, nodes_[right].left);
  add_up(right);
  return right;
}

// Splits a subtree into the tasks before `task` and those after it.
void OrderedSums::split(int node, int task, int& left, int& right) {
  if (node < 0) {
    left = right = -1;
    return;
  }
  if (before(node, task)) {
    left = node;
    split(nodes_[node].right, task, nodes_[node].right, right);
  } else {
    right = node;
    split(nodes_[node].left, task, left, nodes_[node].left);
  }
  add_up(node);
}

OrderedSums::Sums OrderedSums::at_least(int node, double low) const {
  if (node < 0) return {};
  const Node& at = nodes_[node];
  if (at.key < low) return at_least(at.right, low);
  return at_least(at.left, low) + at.own + sums(at.right);
}

OrderedSums::Sums OrderedSums::below(int node, double high) const {
  if (node < 0) return {};
  const Node& at = nodes_[node];
  if (!(at.key < high)) return below(at.left, high);
  return sums(at.left) + at.own + below(at.right, high);
}

OrderedSums::Sums OrderedSums::between(int group, double low, double high) const {
  int node = roots_[group];
  while (node >= 0) {
    const Node& at = nodes_[node];
    if (at.key < low) {
      node = at.right;
    } else if (!(at.key < high)) {
      node = at.left;
    } else {
      return at_least(at.left, low) + at.own + below(at.right, high);
    }
  }
  return {};
}

int OrderedSums::find(int group, double target, double scale, double offset) const {
  const auto weight = [&](const Sums& sums) { return scale * sums.values + offset * sums.bases; };
  int node = roots_[group];
  int last = node;
  while (node >= 0) {
    const Node& at = nodes_[node];
    const double left = weight(sums(at.left));
    if (at.left >= 0 && target < left) {
      node = at.left;
      continue;
    }
    last = node;
    target -= left;
    if (target < weight(at.own)) return node;
    target -= weight(at.own);
    node = at.right;
  }
  return last;
}

}  // namespace gradus
