// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

/// Factors of Policy::affine_form(). `version` changes whenever a c_i may have changed, or the v_i
/// of another task than that of update().
struct AffineForm {
  double scale = 1;
  double offset = 0;
  std::uint64_t version = 0;
};

/// A distribution over N tasks that learns from scaled rewards. It knows nothing of tickets, raw
/// rewards or random numbers, so tests can check exact probabilities.
class Policy {
 public:
  virtual ~Policy() = default;

  virtual std::string_view name() const = 0;
  virtual int size() const = 0;
  /// The current probability of `task`. REQUIRES 0 <= task < size().
  virtual double probability(int task) const = 0;
  /// All N probabilities. They sum to 1 up to rounding.
  virtual std::vector<double> probabilities() const = 0;
  /// The task at quantile u of the distribution, with tasks ordered by index. Never a task of
  /// probability 0. REQUIRES 0 <= u < 1.
  virtual int draw(double u) const = 0;
  /// The probability of all tasks before each of `tasks`. REQUIRES increasing tasks below size().
  virtual std::vector<double> below(std::span<const int> tasks) const;
  /// Returns scale and offset if probabilities have the form scale v_i + offset c_i, with scale > 0
  /// and c_i > 0, and most updates change only the v_i of their own task. affine_value() is v_i and
  /// affine_base() is c_i.
  virtual std::optional<AffineForm> affine_form() const { return std::nullopt; }
  virtual double affine_value(int task) const { return probability(task); }
  virtual double affine_base(int) const { return 1; }
  /// Learns that `task` earned `reward`, which is in [-1, 1]. `probability` is the task's
  /// probability when it was drawn, which may be several updates ago. REQUIRES probability > 0.
  virtual void update(int task, double probability, double reward) = 0;
  /// The number of signals that the policy can learn from, each with a reward of its own: 1, except
  /// for a master of several policies.
  virtual int signals() const { return 1; }
  /// Learns that `task` earned one reward by each signal, instead of update(). The first reward is
  /// that of the policy as a whole. REQUIRES signals() rewards; the rest as update().
  virtual void update_signals(int task, double probability, std::span<const double> rewards);
  /// Learns the rewards of all tasks in one round, instead of update(). Throws InputError if the
  /// policy has no such form. REQUIRES size() rewards in [-1, 1].
  virtual void update_all(std::span<const double> rewards);

  /// Adds a task at the end. It gets the mean weight, which is 1/(N+1) of the new total; the others
  /// keep their ratios. A policy's weights are its distribution without exploration. A policy
  /// without weights, such as one that follows the largest index, treats the new task as never
  /// drawn.
  virtual void add_task() = 0;
  /// Removes a task and its weight; the others keep their ratios. Throws InputError, and changes
  /// nothing, if no task with a positive weight would remain. REQUIRES 0 <= task < size() and
  /// size() > 1.
  virtual void remove_task(int task) = 0;

  /// settings() is what the policy was made with and state() what it has learned since. restore()
  /// takes the state of a policy of equal settings and size. It throws InputError if the state does
  /// not fit. Adding and removing tasks keeps what was learned otherwise, such as the round; a
  /// policy whose settings have a number per task changes them.
  virtual nlohmann::json settings() const = 0;
  virtual nlohmann::json state() const = 0;
  virtual void restore(const nlohmann::json& state) = 0;
};

/// Throw InputError unless the arguments are what Policy::probability(), draw() and update()
/// require. For arguments that come from users.
void check_task(const Policy& policy, int task);
void check_quantile(double u);
void check_update(const Policy& policy, int task, double probability, double reward);

/// The index at quantile u of a list of probabilities. REQUIRES 0 <= u < 1. Never one of
/// probability 0. Throws std::logic_error if no entry is positive.
int draw_from(std::span<const double> probabilities, double u);

/// Shannon entropy in nats.
double entropy(std::span<const double> probabilities);

/// How far a policy has moved from uniform: the total variation distance, sum_i |p_i - 1/N| / 2. It
/// is the share of draws that go to other tasks than under uniform sampling: 0 if uniform, at most
/// 1 - 1/N.
double distance_from_uniform(std::span<const double> probabilities);

}  // namespace gradus
