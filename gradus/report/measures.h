// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gradus/runs/metrics.h"

namespace gradus::report {

/// A metric by which runs are compared, or which is drawn over time.
struct Measure {
  std::string name;   ///< as in metric_fields()
  std::string label;  ///< of its axis
  double Metrics::*value;
  bool rising;            ///< whether more is better
  std::string unit = "";  ///< set only for a loss in bits: "bits per character"; also in the label
};

/// All measures of the report, in the order of the paper's figures.
const std::vector<Measure>& measures();

/// Throws an InputError that suggests the nearest name if there is no such measure.
const Measure& find_measure(const std::string& name);

}  // namespace gradus::report
