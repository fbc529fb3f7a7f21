// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/measures.h"

#include "gradus/core/error.h"

namespace gradus::report {

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all = {
      {"target_loss", "target loss (nats per output)", &Metrics::target_loss, false},
      {"mean_loss", "mean loss (nats per output)", &Metrics::mean_loss, false},
      {"training_loss", "training loss (nats per output)", &Metrics::training_loss, false},
      {"target_error", "target error", &Metrics::target_error, false},
      {"mean_error", "mean error", &Metrics::mean_error, false},
      {"tasks_completed", "tasks completed", &Metrics::tasks_completed, true},
      {"entropy", "policy entropy (nats)", &Metrics::entropy, false},
      {"moved", "policy's distance from uniform", &Metrics::moved, false},
      {"complexity", "complexity (nats)", &Metrics::complexity, false},
  };
  return all;
}

const Measure& find_measure(const std::string& name) {
  return find_entry("measure", name, measures());
}

}  // namespace gradus::report
