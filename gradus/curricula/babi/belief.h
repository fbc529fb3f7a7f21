// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "gradus/curricula/babi/world.h"

namespace gradus::babi {

enum class Truth { kUnknown, kTrue, kFalse };

/// Task 10: what the reader believes about where one person is, by the public generator's rules. At
/// most one place is true. If one is true, all places that are unknown count as false.
class Belief {
 public:
  bool mentioned() const { return mentioned_; }
  Truth truth(int place) const;
  /// The supporting lines of truth(place). For an unknown place, the latest line that said
  /// "either".
  std::vector<int> support(int place) const;

  /// "P is in `place`", or P moves there. Everything else is forgotten.
  void is_in(int place, int line);
  /// "P is either in a or in b". Earlier beliefs are kept: if one of the two is true, the other
  /// becomes false, and if one is false, the other becomes true. This rule is applied first from a
  /// to b, then from b to a with the result. The four other places become false.
  void is_either_in(int a, int b, int line);

 private:
  struct Entry {
    Truth truth = Truth::kUnknown;
    std::vector<int> support;
  };

  void infer(int from, int to, int line);
  /// The entry that decides about `place`: its own, or that of the true place if its own is
  /// unknown.
  const Entry& deciding(int place) const;

  std::array<Entry, kPlaceCount> entries_;
  int either_line_ = 0;
  bool mentioned_ = false;
};

}  // namespace gradus::babi
