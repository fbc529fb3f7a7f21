#pragma once

#include <fstream>
#include <string>

#include "gradus/runs/runner.h"

namespace gradus::cli {

/// Writes the metrics of a run as CSV, a row an evaluation, each on disk when write() returns. A
/// number that does not apply is an empty field.
class MetricsCsv {
 public:
  /// Throws InputError where the file cannot be made.
  explicit MetricsCsv(const std::string& path);
  /// Throws std::runtime_error where the row cannot be written.
  void write(const Metrics& metrics, double seconds);

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace gradus::cli
