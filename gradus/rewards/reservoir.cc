// SPDX-License-Identifier: Apache-2.0
#include "gradus/rewards/reservoir.h"

#include <algorithm>
#include <cmath>

#include "gradus/core/random.h"

namespace gradus {
namespace {

// Priorities must look random and differ between slots: a bijective hash of the slot number.
std::uint32_t mix(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

}  // namespace

void OrderedSlots::push(double value) {
  const std::uint32_t slot = size();
  nodes_.push_back({.value = value, .priority = mix(slot + 1)});
  insert(root_, slot);
}

void OrderedSlots::replace(std::uint32_t slot, double value) {
  erase(root_, slot);
  nodes_[slot].value = value;
  insert(root_, slot);
}

double OrderedSlots::at_rank(std::uint32_t rank) const {
  std::uint32_t node = root_;
  while (true) {
    const std::uint32_t left = count(nodes_[node].left);
    if (rank == left) return nodes_[node].value;
    if (rank < left) {
      node = nodes_[node].left;
    } else {
      rank -= left + 1;
      node = nodes_[node].right;
    }
  }
}

bool OrderedSlots::before(std::uint32_t a, std::uint32_t b) const {
  if (nodes_[a].value != nodes_[b].value) return nodes_[a].value < nodes_[b].value;
  return a < b;
}

void OrderedSlots::recount(std::uint32_t node) {
  nodes_[node].count = 1 + count(nodes_[node].left) + count(nodes_[node].right);
}

void OrderedSlots::insert(std::uint32_t& root, std::uint32_t node) {
  if (root == kNone || nodes_[node].priority > nodes_[root].priority) {
    split(root, node, nodes_[node].left, nodes_[node].right);
    root = node;
  } else {
    insert(before(node, root) ? nodes_[root].left : nodes_[root].right, node);
  }
  recount(root);
}

void OrderedSlots::erase(std::uint32_t& root, std::uint32_t node) {
  if (root == node) {
    root = merge(nodes_[node].left, nodes_[node].right);
    return;
  }
  erase(before(node, root) ? nodes_[root].left : nodes_[root].right, node);
  recount(root);
}

// Splits a subtree into the nodes before `key` and those after it. `key` is not in the subtree.
void OrderedSlots::split(std::uint32_t root, std::uint32_t key, std::uint32_t& low,
                         std::uint32_t& high) {
  if (root == kNone) {
    low = high = kNone;
  } else if (before(root, key)) {
    split(nodes_[root].right, key, nodes_[root].right, high);
    low = root;
    recount(root);
  } else {
    split(nodes_[root].left, key, low, nodes_[root].left);
    high = root;
    recount(root);
  }
}

std::uint32_t OrderedSlots::merge(std::uint32_t low, std::uint32_t high) {
  if (low == kNone) return high;
  if (high == kNone) return low;
  if (nodes_[low].priority > nodes_[high].priority) {
    nodes_[low].right = merge(nodes_[low].right, high);
    recount(low);
    return low;
  }
  nodes_[high].left = merge(low, nodes_[high].left);
  recount(high);
  return high;
}

Reservoir::Reservoir(std::uint32_t capacity, std::uint64_t seed) : slots_(capacity), seed_(seed) {}

void Reservoir::add(double value) {
  ++seen_;
  if (slots_.size() < slots_.capacity()) {
    slots_.push(value);
    return;
  }
  // With probability capacity / seen, the new number replaces a random one.
  Random random(seed_, Purpose::kReservoir, seen_);
  const double place = random.uniform() * static_cast<double>(seen_);
  if (place < slots_.capacity()) slots_.replace(static_cast<std::uint32_t>(place), value);
}

double Reservoir::quantile(double p) const {
  const double position = p * (slots_.size() - 1);
  const auto below = static_cast<std::uint32_t>(std::floor(position));
  const double low = slots_.at_rank(below);
  const double fraction = position - below;
  if (fraction == 0) return low;
  return std::lerp(low, slots_.at_rank(below + 1), fraction);
}

std::vector<double> Reservoir::values() const {
  std::vector<double> values(slots_.size());
  for (std::uint32_t i = 0; i < slots_.size(); ++i) values[i] = slots_.value(i);
  return values;
}

void Reservoir::restore(const std::vector<double>& values, std::uint64_t seen) {
  OrderedSlots slots(slots_.capacity());
  for (const double value : values) slots.push(value);
  slots_ = std::move(slots);
  seen_ = seen;
}

}  // namespace gradus
