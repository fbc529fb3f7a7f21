#pragma once

#include <string>
#include <vector>

#include "gradus/runs/metrics.h"

namespace gradus::report {

/// A number of an evaluation that runs are compared by or that is drawn over time.
struct Measure {
  std::string name;   ///< as metric_fields() has it
  std::string label;  ///< of an axis
  double Metrics::*value;
  bool rising;            ///< more is better
  std::string unit = "";  ///< of a loss in bits: "bits per character"; the label has it too
};

/// All that the report draws, in the order of the paper's figures.
const std::vector<Measure>& measures();

/// Throws InputError, which names the nearest, where none is called that.
const Measure& find_measure(const std::string& name);

}  // namespace gradus::report
