// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/learner.h"

#include <algorithm>

namespace gradus {

Evaluation& Evaluation::operator+=(const Evaluation& other) {
  total_loss += other.total_loss;
  outputs += other.outputs;
  answers += other.answers;
  wrong_answers += other.wrong_answers;
  return *this;
}

int tasks_completed(std::span<const double> errors) {
  return static_cast<int>(std::ranges::count_if(errors, [](double error) { return error < 0.05; }));
}

}  // namespace gradus
