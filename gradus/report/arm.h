#pragma once

#include <span>
#include <vector>

namespace gradus::report {

/// Fewer say too little of the spread between runs.
inline constexpr int kFewestRuns = 3;

/// A run's input steps until it reached the threshold, or until its last evaluation if it has not.
struct Reach {
  double steps = 0;
  bool reached = false;
};

/// The runs of one arm, on the model that log steps are normal with a mean and a deviation of the
/// arm's own. A run that fell short is known to need more than the steps that it has done (a
/// censored observation); one that has done none says nothing and is left out.
class Arm {
 public:
  explicit Arm(std::span<const Reach> runs);

  int runs() const { return static_cast<int>(logs_.size()); }
  bool all_reached() const { return reached_ == runs(); }

  /// Whether the mean can be estimated: all runs reached the threshold, and after the start; or, of
  /// at least three, two that took different numbers of steps.
  bool has_estimate() const { return has_estimate_; }
  /// The maximum-likelihood estimate of the mean: the mean of the logs if all reached. Without an
  /// estimate the mean of the logs, fallen short or not, which is a lower bound; -infinity if a run
  /// reached the threshold at step 0, NaN without runs.
  double centre() const { return centre_; }
  /// Squared standard error of the centre on runs() - 1 degrees of freedom: s^2 / n if all reached.
  /// REQUIRES has_estimate(), and at least two runs.
  double variance() const { return variance_; }
  /// Distance from the centre to the mean above (direction 1) or below it (-1) that the runs are t
  /// standard errors from. REQUIRES as variance().
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
