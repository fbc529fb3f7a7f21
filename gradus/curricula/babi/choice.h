// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "gradus/core/random.h"

namespace gradus::babi {

/// Uniform random choices, from which the stories are built.

template <typename T, std::size_t N>
const T& one_of(const std::array<T, N>& values, Random& random) {
  return values[random.below(N)];
}

/// A random number of 0..count-1 except `excluded`.
inline int other_than(int excluded, int count, Random& random) {
  const int drawn = static_cast<int>(random.below(count - 1));
  return drawn < excluded ? drawn : drawn + 1;
}

/// Two distinct random numbers of 0..count-1, as an ordered pair.
inline std::pair<int, int> two_distinct(int count, Random& random) {
  const int first = static_cast<int>(random.below(count));
  return {first, other_than(first, count, random)};
}

/// A random one of the numbers 0..count-1 that satisfy `condition`, or nullopt if none does.
template <typename Condition>
std::optional<int> one_where(int count, Condition condition, Random& random) {
  int fitting = 0;
  for (int i = 0; i < count; ++i) fitting += condition(i) ? 1 : 0;
  if (fitting == 0) return std::nullopt;
  int skip = static_cast<int>(random.below(fitting));
  int i = 0;
  while (!condition(i) || skip-- > 0) ++i;
  return i;
}

/// A uniformly random permutation of 0..N-1.
template <std::size_t N>
std::array<int, N> permutation(Random& random) {
  std::array<int, N> order{};
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, random);
  return order;
}

}  // namespace gradus::babi
