// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/core/gain.h"

namespace gradus {

/// How well a network does on held-out batches. Evaluations of several batches of a task add up.
struct Evaluation {
  double total_loss = 0;           ///< nats, summed over sequences and scored outputs
  std::int64_t outputs = 0;        ///< scored outputs
  std::int64_t answers = 0;        ///< an answer is a maximal stretch of scored outputs
  std::int64_t wrong_answers = 0;  ///< answers with at least one wrong output

  Evaluation& operator+=(const Evaluation& other);
  double loss_per_output() const { return total_loss / static_cast<double>(outputs); }
  double error() const { return static_cast<double>(wrong_answers) / static_cast<double>(answers); }
};

/// The usual bAbI score: the number of tasks with less than 5% wrong answers. A task that was not
/// evaluated has a NaN error and does not count.
int tasks_completed(std::span<const double> errors);

/// A named array in row-major order.
struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::variant<std::vector<float>, std::vector<double>> values;
  bool operator==(const Tensor&) const = default;
};

/// Everything that training changes in a learner. The trained parameters come first, under the
/// names of their parts ("lstm0.input"); the optimiser's numbers for each follow
/// ("optimiser.mean.lstm0.input").
struct LearnerState {
  std::vector<Tensor> tensors;
  std::uint64_t updates = 0;
  double loss_scale = 0;  ///< 0 if the learner does not scale its gradients
  bool operator==(const LearnerState&) const = default;
};

/// Indicators of a network's health. Those that do not apply are NaN.
struct Vitals {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double gradient_norm = kNone;  ///< norm of the objective's gradient in the last update
  double weight_norm = kNone;    ///< norm of the weights used for evaluation
  double complexity = kNone;     ///< KL(posterior | prior), nats
  /// Updates that this process repeated because half precision overflowed.
  std::int64_t repeated_updates = 0;
};

/// A model that learns from batches and reports how each step went. One caller at a time.
class Learner {
 public:
  virtual ~Learner() = default;

  /// Does one training step on `batch`. Measures only what `needs` asks for. `probe` is x'; it is
  /// null if and only if needs.probe is kNone. Throws InputError if it cannot measure something.
  virtual Measurements train(const Batch& batch, const Batch* probe, const Needs& needs) = 0;

  /// Returns the loss and the errors on a batch. Does not change the learner.
  virtual Evaluation evaluate(const Batch& batch) = 0;

  /// May read all weights, so call it at evaluations and not at every update.
  virtual Vitals vitals() = 0;

  /// restore() continues exactly from a saved state, in any process, provided that train() is the
  /// next call. Throws InputError if the names, shapes or types are not those of this learner.
  virtual LearnerState save() const = 0;
  virtual void restore(const LearnerState& state) = 0;
};

}  // namespace gradus
