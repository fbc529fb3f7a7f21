#pragma once

#include <cstdint>
#include <span>

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

/// Something that learns from batches and can say how it went.
class Learner {
 public:
  virtual ~Learner() = default;

  /// One training step on `batch`. Measures what `needs` asks for and nothing else; `probe` is x',
  /// null exactly when needs.probe is kNone.
  virtual Measurements train(const Batch& batch, const Batch* probe, const Needs& needs) = 0;

  /// Losses and errors on a batch; changes nothing.
  virtual Evaluation evaluate(const Batch& batch) = 0;
};

}  // namespace gradus
