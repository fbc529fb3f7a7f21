#pragma once

#include <array>
#include <vector>

#include "gradus/curricula/babi/world.h"

namespace gradus::babi {

enum class Truth { kUnknown, kTrue, kFalse };

/// Task 10: what the reader believes about where one person is, by the public generator's rules. At
/// most one place is true; where one is, all others count as false.
class Belief {
 public:
  bool mentioned() const { return mentioned_; }
  Truth truth(int place) const;
  /// The lines that truth(place) rests on. For an unknown place: the latest line that said
  /// "either".
  std::vector<int> support(int place) const;

  /// "P is in `place`", or a move there: everything else is forgotten.
  void is_in(int place, int line);
  /// "P is either in a or in b". What was believed before is not forgotten: a place known to be
  /// true makes the other false, one known to be false makes the other true; first `a` is looked
  /// at, then `b` as it is by then. The four other places become false.
  void is_either_in(int a, int b, int line);

 private:
  struct Entry {
    Truth truth = Truth::kUnknown;
    std::vector<int> support;
  };

  void infer(int from, int to, int line);
  /// The place whose entry decides about `place`: itself, or one that is true where it has none.
  const Entry& deciding(int place) const;

  std::array<Entry, kPlaceCount> entries_;
  int either_line_ = 0;
  bool mentioned_ = false;
};

}  // namespace gradus::babi
