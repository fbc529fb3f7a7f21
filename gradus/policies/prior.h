// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

/// The distribution pi_0 over N tasks that a policy starts from, explores by, and returns to if it
/// learns nothing: uniform, or in proportion to given weights.
class Prior {
 public:
  /// Without weights it is uniform. Throws InputError unless there is one weight per task, all are
  /// finite and above 0, and none is less than 1e-12 of their sum.
  Prior(int tasks, std::vector<double> weights);

  int size() const { return tasks_; }
  bool is_uniform() const { return weights_.empty(); }
  /// N pi_0(task), which is exactly 1 if the prior is uniform.
  double relative(int task) const { return relative_.empty() ? 1 : relative_[task]; }
  /// values[i] N pi_0(i) for each task.
  std::vector<double> times(std::vector<double> values) const;

  /// As in Policy: a new task gets the mean weight, and the others keep their ratios.
  void add_task();
  void remove_task(int task);

  /// Adds the weights to a policy's settings, unless the prior is uniform.
  void add_to(nlohmann::json& settings) const;

 private:
  void set_relative();

  int tasks_;
  std::vector<double> weights_;   // as given; empty if uniform
  std::vector<double> relative_;  // empty if uniform
};

}  // namespace gradus
