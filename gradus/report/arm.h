// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace gradus::report {

/// With fewer runs the spread between runs cannot be estimated well.
inline constexpr int kFewestRuns = 3;

/// A run's input steps until it reached the threshold, or until its last evaluation if it has not.
struct Reach {
  double steps = 0;
  bool reached = false;
};

/// The runs of one arm. The model: log steps are normal, with a mean and a deviation specific to
/// the arm. A run that did not reach the threshold needs more steps than it has done (a censored
/// observation). A run that has done no steps is ignored.
class Arm {
 public:
  explicit Arm(std::span<const Reach> runs);

  int runs() const { return static_cast<int>(logs_.size()); }
  bool all_reached() const { return reached_ == runs(); }

  /// Whether the mean can be estimated. Either all runs reached the threshold, after step 0; or
  /// there are at least three runs, and two of those that reached it took different numbers of
  /// steps.
  bool has_estimate() const { return has_estimate_; }
  /// The maximum-likelihood estimate of the mean; the mean of the logs if all runs reached the
  /// threshold. Without an estimate: the mean of the logs of all runs, whether or not they reached
  /// the threshold, which is a lower bound. -infinity if a run reached the threshold at step 0; NaN
  /// if there are no runs.
  double centre() const { return centre_; }
  /// Squared standard error of the centre, with runs() - 1 degrees of freedom; s^2 / n if all runs
  /// reached the threshold. REQUIRES has_estimate() and at least two runs.
  double variance() const { return variance_; }
  /// Distance from the centre to the mean above it (direction 1) or below it (-1) whose T is t: t
  /// standard errors if all runs reached the threshold. REQUIRES as for variance().
  double distance(double t, int direction) const;

 private:
  struct Log {
    double value;
    bool reached;
  };
  double best_precision(double mean) const;
  double log_likelihood(double mean) const;
  double slope(double mean) const;
  void estimate();
  double variance_of_estimate() const;

  std::vector<Log> logs_;
  int reached_ = 0;
  bool has_estimate_ = false;
  double centre_ = 0;
  double variance_ = 0;
};

}  // namespace gradus::report
