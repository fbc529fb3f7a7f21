#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/core/random.h"

namespace gradus {

/// Training never sees held-out data. Curricula that generate data keep the two splits apart by
/// their random streams; those that read data also draw from disjoint parts of it.
enum class Split { kTraining, kHeldOut };

/// A set of tasks D_1, ..., D_N (paper, section 2). Immutable, so any number of threads may call
/// sample() at once.
class Curriculum {
 public:
  virtual ~Curriculum() = default;

  virtual std::string_view name() const = 0;
  /// Unique names of the tasks. A task's index is its position in this list.
  virtual const std::vector<std::string>& tasks() const = 0;
  /// The target task, if there is one.
  virtual std::optional<int> target() const = 0;
  virtual const DataSpec& data() const = 0;
  /// What one output of a task stands for if the task is to predict text: "character" or "word".
  /// Empty if the outputs form answers, which are right or wrong.
  virtual std::string_view unit(int /*task*/) const { return ""; }
  /// S of the variational objective: the number of sequences in the whole curriculum, or a nominal
  /// number if the tasks generate sequences without end.
  virtual double total_sequences() const = 0;

  /// Draws `count` sequences of one task. A pure function of its arguments and the state of
  /// `random`. REQUIRES 0 <= task < tasks().size() and count > 0.
  virtual Batch sample(int task, int count, Split split, Random& random) const = 0;

  /// Samples one sequence and returns it as readable text, without a final newline.
  virtual std::string describe(int task, Random& random) const = 0;
};

}  // namespace gradus
