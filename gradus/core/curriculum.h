#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/core/random.h"

namespace gradus {

/// Training never sees what is held out. Generated curricula keep the two apart by the stream of
/// random numbers that they are given; those made of data also by drawing from disjoint parts.
enum class Split { kTraining, kHeldOut };

/// An ensemble of tasks D_1, ..., D_N (paper, section 2). Immutable once made, so that any number
/// of threads may sample at once.
class Curriculum {
 public:
  virtual ~Curriculum() = default;

  virtual std::string_view name() const = 0;
  /// Names of the tasks, unique; a task's index is its place here.
  virtual const std::vector<std::string>& tasks() const = 0;
  /// The task of the target setting, where there is one.
  virtual std::optional<int> target() const = 0;
  virtual const DataSpec& data() const = 0;
  /// What one output of a task is if the task is a text to predict: "character" or "word". Empty
  /// if its outputs make up answers, which are right or wrong.
  virtual std::string_view unit(int /*task*/) const { return ""; }
  /// S of the variational objective: sequences in the whole curriculum, or the number that stands
  /// for it where tasks are generated without end.
  virtual double total_sequences() const = 0;

  /// Draws `count` sequences of one task. A pure function of its arguments and of the state of
  /// `random`. REQUIRES 0 <= task < tasks().size() and count > 0.
  virtual Batch sample(int task, int count, Split split, Random& random) const = 0;

  /// One sampled sequence for a person to read, without a final newline.
  virtual std::string describe(int task, Random& random) const = 0;
};

}  // namespace gradus
