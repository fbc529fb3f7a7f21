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

/// What one round of Algorithm 1 did.
struct Lesson {
  int task = 0;
  std::int64_t input_steps = 0;
  std::int64_t outputs = 0;  ///< scored outputs of the batch
  Measurements measured;
  double progress = 0;
  Reward reward;
  std::string refusal;  ///< why the syllabus refused the reward; empty when it was settled
};

/// Algorithm 1: intrinsically motivated curriculum learning. Holds references; all must outlive it.
class Teacher {
 public:
  /// `gain` may be null: then nothing is measured and the policy is never updated, which is how the
  /// baselines train. `prefetch` is how many batches may lie ready, made ahead by a thread; 0 for
  /// no thread. It changes no result. Throws InputError where the gain wants a target task and
  /// there is none.
  Teacher(Syllabus& syllabus, const Curriculum& curriculum, Learner& learner, const Gain* gain,
          int batch_size, std::uint64_t seed, int prefetch = 0);

  /// One round. A reward that the syllabus refuses (progress that is not finite, say) leaves the
  /// policy unchanged and its reason in the lesson: stop or go on is the caller's choice.
  Lesson teach();

  /// What decides the next batches; restore() continues exactly from there. Syllabus and learner
  /// are saved by themselves.
  nlohmann::json save() const;
  void restore(const nlohmann::json& saved);

 private:
  Batch draw_probe(Probe probe, int task);
  void announce_tasks(Probe probe);

  Syllabus& syllabus_;
  const Curriculum& curriculum_;
  Learner& learner_;
  const Gain* gain_;
  std::uint64_t seed_;
  std::uint64_t rounds_ = 0;
  PrefetchingSource training_;
  PrefetchingSource probes_;
};

}  // namespace gradus
