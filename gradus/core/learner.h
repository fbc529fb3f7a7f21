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

/// How well a network does on held-out batches; adds up over batches of one task.
struct Evaluation {
  double total_loss = 0;           ///< nats, summed over sequences and scored outputs
  std::int64_t outputs = 0;        ///< scored outputs
  std::int64_t answers = 0;        ///< maximal runs of scored outputs
  std::int64_t wrong_answers = 0;  ///< those with at least one wrong output

  Evaluation& operator+=(const Evaluation& other);
  double loss_per_output() const { return total_loss / static_cast<double>(outputs); }
  double error() const { return static_cast<double>(wrong_answers) / static_cast<double>(answers); }
};

/// The usual measure of bAbI: how many tasks have less than 5% of their answers wrong. A NaN, the
/// error of a task that was not evaluated, is not completed.
int tasks_completed(std::span<const double> errors);

/// A named array of numbers, row-major.
struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::variant<std::vector<float>, std::vector<double>> values;
  bool operator==(const Tensor&) const = default;
};

/// All that training changes in a learner. What is trained comes first, under the names of its
/// parts ("lstm0.input"), then the optimiser's numbers for each ("optimiser.mean.lstm0.input").
struct LearnerState {
  std::vector<Tensor> tensors;
  std::uint64_t updates = 0;
  double loss_scale = 0;  ///< of a learner that scales its gradients; 0 for others
  bool operator==(const LearnerState&) const = default;
};

/// The state of a network's health. What does not apply is NaN.
struct Vitals {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double gradient_norm = kNone;  ///< length of the objective's gradient in the last update
  double weight_norm = kNone;    ///< length of the weights that are evaluated
  double complexity = kNone;     ///< KL(posterior | prior), nats
  /// Updates that this process did more than once because half precision overflowed.
  std::int64_t repeated_updates = 0;
};

/// Something that learns from batches and can say how it went.
class Learner {
 public:
  virtual ~Learner() = default;

  /// One training step on `batch`. Measures what `needs` asks for and nothing else; `probe` is x',
  /// null exactly when needs.probe is kNone.
  virtual Measurements train(const Batch& batch, const Batch* probe, const Needs& needs) = 0;

  /// Losses and errors on a batch; changes nothing.
  virtual Evaluation evaluate(const Batch& batch) = 0;

  /// May take a pass over all weights: for evaluations, not for every update.
  virtual Vitals vitals() = 0;

  /// restore() continues exactly from a saved state, in whatever process, as long as train() is the
  /// next call. It throws InputError where names, shapes or types are not this learner's.
  virtual LearnerState save() const = 0;
  virtual void restore(const LearnerState& state) = 0;
};

}  // namespace gradus
