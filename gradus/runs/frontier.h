// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/curriculum.h"
#include "gradus/core/syllabus.h"

namespace gradus {

/// A hand-made syllabus, as a reference for policies: the baseline gain "frontier". A task is
/// solved while the loss of its last training batch is at most what its curriculum counts as
/// solved. The frontier is the unsolved tasks whose easier neighbours, one less along an axis of
/// the curriculum, are all solved. With N tasks, F of them on the frontier and S solved,
///
///   p_i = 0.6 / F if i is on the frontier + 0.2 / S if i is solved + 0.2 / N
///
/// If S is 0, the frontier also gets the review's 0.2; if F is 0, all tasks are equally likely.
class Frontier {
 public:
  /// Whether the curriculum has axes and says what counts as solved.
  static bool fits(const CurriculumDescription& curriculum);
  /// Throws InputError if the curriculum does not fit.
  Frontier(const Curriculum& curriculum, Syllabus& syllabus);

  /// Takes note of the loss of a training batch, in nats per output, and sets the limits of the
  /// syllabus such that it draws with p.
  void see(int task, double loss);
  std::vector<double> probabilities() const;

  nlohmann::json save() const;
  void restore(const nlohmann::json& saved);

 private:
  bool on_frontier(int task) const;
  void apply();

  Syllabus& syllabus_;
  double solved_loss_;
  std::vector<std::vector<int>> easier_;  // neighbours of each task
  std::vector<bool> solved_;
};

}  // namespace gradus
