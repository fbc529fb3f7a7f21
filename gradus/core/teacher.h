// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/curriculum.h"
#include "gradus/core/gain.h"
#include "gradus/core/learner.h"
#include "gradus/core/prefetching_source.h"
#include "gradus/core/syllabus.h"

namespace gradus {

/// The outcome of one round of Algorithm 1.
struct Lesson {
  int task = 0;
  std::int64_t input_steps = 0;
  std::int64_t outputs = 0;  ///< scored outputs of the batch
  Measurements measured;
  double progress = 0;
  double cost = 0;
  Reward reward;
  std::string refusal;  ///< why the syllabus refused the reward; empty if it was settled
};

/// Algorithm 1: intrinsically motivated curriculum learning. Holds references: all must outlive the
/// teacher.
class Teacher {
 public:
  /// If `gain` is null, nothing is measured and the policy is never updated; the baselines train
  /// this way. `prefetch` is the number of batches that a thread may make ahead, 0 for no thread;
  /// it does not change any result. Throws InputError if the gain needs a target task and the
  /// curriculum has none, or has more signals than the policy learns from.
  Teacher(Syllabus& syllabus, const Curriculum& curriculum, Learner& learner, Gain* gain,
          int batch_size, std::uint64_t seed, int prefetch = 0);

  /// Runs one round. If the syllabus refuses the reward, for example because progress is not
  /// finite, the policy stays unchanged and `refusal` in the lesson says why. The caller decides
  /// whether to go on.
  Lesson teach();

  /// The state that decides the next batches; restore() continues exactly from it. It
  /// includes the gain's memory. The syllabus and the learner are saved separately.
  nlohmann::json save() const;
  void restore(const nlohmann::json& saved);

 private:
  Batch draw_probe(Probe probe, int task);
  void announce_tasks(Probe probe);

  Syllabus& syllabus_;
  const Curriculum& curriculum_;
  Learner& learner_;
  Gain* gain_;
  std::uint64_t seed_;
  std::uint64_t rounds_ = 0;
  PrefetchingSource training_;
  PrefetchingSource probes_;
};

}  // namespace gradus
