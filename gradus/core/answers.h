// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gradus/core/learner.h"

namespace gradus {

/// Counts the answers of a batch. Consecutive scored outputs of one sequence form an answer. It is
/// wrong if any of them is.
class AnswerCounter {
 public:
  /// Starts a batch. Allocates only if it has more sequences than all batches before.
  void start(int sequences) { latest_.assign(sequences, {}); }

  /// Adds a scored output to the counts of `evaluation`, but not its loss. Outputs of the same
  /// sequence must come in the order of their steps.
  void add(int sequence, int step, bool wrong, Evaluation& evaluation) {
    Answer& answer = latest_[sequence];
    ++evaluation.outputs;
    if (answer.last_step != step - 1) {
      ++evaluation.answers;
      answer.wrong = false;
    }
    answer.last_step = step;
    if (!wrong || answer.wrong) return;
    ++evaluation.wrong_answers;
    answer.wrong = true;
  }

 private:
  struct Answer {
    int last_step = -2;
    bool wrong = false;
  };
  std::vector<Answer> latest_;  // (B)
};

}  // namespace gradus
