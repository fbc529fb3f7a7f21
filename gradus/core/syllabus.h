// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/limited_policy.h"
#include "gradus/core/policy.h"
#include "gradus/core/reward_scale.h"
#include "gradus/core/task_limits.h"

namespace gradus {

/// A drawn task, to be settled with its reward later. `probability` is the task's probability at
/// the draw, so the importance weight is right no matter how many rewards are settled in between.
/// `task` is the task's index at the draw; the ticket stays valid if other tasks are removed.
struct Ticket {
  std::uint64_t id = 0;
  int task = 0;
  double probability = 0;
};

/// A settled reward: raw = progress / cost, and scaled, its value in [-1, 1].
struct Reward {
  double raw = 0;
  double scaled = 0;
};

/// A time-varying distribution over tasks: a policy, the limits that a user sets, and a reward
/// scale. Rewards may come late, out of order or never; several tickets may be outstanding; tasks
/// may be added and removed. Not thread-safe.
class Syllabus {
 public:
  /// `tasks` are the names of the tasks. Throws std::logic_error unless policy->size() equals their
  /// number.
  Syllabus(std::vector<std::string> tasks, std::unique_ptr<Policy> policy,
           std::unique_ptr<RewardScale> scale, std::uint64_t seed);

  const std::vector<std::string>& tasks() const { return tasks_; }
  const Policy& policy() const { return *policy_; }
  const RewardScale& scale() const { return *scale_; }
  std::size_t outstanding() const { return outstanding_.size(); }
  std::uint64_t seed() const { return seed_; }
  /// Number of tickets issued so far, and the id of the next one.
  std::uint64_t issued() const { return issued_; }
  /// Number of rewards settled so far.
  std::uint64_t rounds() const { return rounds_; }
  /// Returns the index of the task `name`. Throws InputError, suggesting the nearest name, if there
  /// is no such task.
  int task_index(std::string_view name) const;

  /// The distribution that draw() uses: the policy's, under the limits. Throws InputError if there
  /// is no such task.
  double probability(int task) const;
  std::vector<double> probabilities() const;

  /// Draws a task. A pure function of the seed, the number of tickets issued before, the policy and
  /// the limits.
  Ticket draw();
  /// Draws n tasks, as n calls of draw() would. REQUIRES n >= 0.
  std::vector<Ticket> draw(int n);
  /// Draws n tasks, in random order: task i with probability p_i gets n p_i of them, rounded up or
  /// down at random, so that its expected number is exactly n p_i. A pure function, as draw() is.
  /// REQUIRES n >= 0.
  std::vector<Ticket> draw_quotas(int n);
  /// Issues a ticket for a task that the caller drew with `probability`, by default the task's
  /// current one. Throws InputError if there is no such task or the probability is not above 0 and
  /// at most 1.
  Ticket ticket_for(int task, std::optional<double> probability = {});

  /// A uniformly drawn task to probe for a ticket: a pure function of the seed and the ticket's id.
  int probe_task(const Ticket& ticket) const;

  /// Settles a ticket. Throws InputError, leaving the policy and the ticket unchanged, if progress,
  /// cost or their quotient is not finite, cost is not positive, or the ticket is not outstanding.
  Reward reward(const Ticket& ticket, double progress, double cost);
  /// Settles a ticket with the progress by each of several signals, for a policy that chooses among
  /// them. Each signal has a scale of its own. Returns the reward by the first. Throws InputError
  /// as above, or if the number of signals is neither 1 nor Policy::signals().
  Reward reward(const Ticket& ticket, std::span<const double> progress, double cost);
  /// Settles several tickets, as calls of reward() in order would. Throws InputError, and changes
  /// nothing, if one of those calls would throw or a ticket is given twice. REQUIRES equal sizes.
  std::vector<Reward> reward_batch(std::span<const Ticket> tickets,
                                   std::span<const double> progress, std::span<const double> costs);
  /// Rewards all tasks in one round, which uses up one ticket number. All are scaled by the history
  /// before the round, and the policy learns them together (Policy::update_all()). Throws
  /// InputError, and changes nothing, as reward() does or if the policy has no update_all().
  /// REQUIRES a progress and a cost for each task.
  std::vector<Reward> reward_all(std::span<const double> progress, std::span<const double> costs);
  /// Drops a ticket: it will earn no reward. Throws InputError if the ticket is not outstanding. A
  /// ticket that is never settled or dropped only costs a few bytes here and in saved states.
  void drop(const Ticket& ticket);
  /// Whether the ticket can still be settled. Throws InputError if it was never issued or was
  /// changed.
  bool is_outstanding(const Ticket& ticket) const;
  /// Whether the ticket's task was removed while the ticket was outstanding.
  bool is_void(const Ticket& ticket) const { return void_.contains(ticket.id); }

  /// The limits of one task (task_limits.h). The policy learns as if there were none. Both throw
  /// InputError if there is no such task; set_limit() also if no distribution satisfies all limits,
  /// and then changes nothing.
  TaskLimit limit(int task) const;
  void set_limit(int task, const TaskLimit& limit);
  /// Sets the limits of several tasks in one go, which takes no longer than for one.
  void set_limits(const TaskLimits& changes);

  /// Add a task at the end, or remove one (Policy::add_task() says with what probability). Tickets
  /// of a removed task become void: they count as dropped, and settling one throws InputError. Both
  /// throw InputError and change nothing if the name is taken, there is no such task, it is the
  /// only one or has all the probability of the policy, or no distribution satisfies the limits of
  /// the remaining tasks.
  void add_task(std::string name);
  void remove_task(int task);

  /// A hash that is equal for two syllabuses that will behave the same under equal rewards, and
  /// almost certainly different otherwise. Takes O(N).
  std::uint64_t fingerprint() const;

  /// save() returns the whole state as versioned JSON and restore() continues exactly from it.
  /// restore() throws InputError saying what differs, and changes nothing, if the state has a
  /// different format, version, task set, seed, policy or scale.
  nlohmann::json save() const;
  void restore(const nlohmann::json& saved);

 private:
  // A ticket as drawn, and the current index of its task.
  struct Entry {
    Ticket ticket;
    int task;
  };
  using Tickets = std::map<std::uint64_t, Entry>;
  using VoidTickets = std::map<std::uint64_t, std::string>;  // id to the removed task's name

  Ticket issue(int task, double probability);
  Ticket issue(int task) { return issue(task, probability(task)); }
  int draw_at(double u) const;
  double raw_reward(int task, double progress, double cost) const;
  Reward settle(int task, double probability, double raw);
  Reward settle_signals(int task, double probability, std::span<const double> raws);
  void check_task(int task) const;
  const Entry& outstanding_entry(const Ticket& ticket) const;
  void replace_limits(TaskLimits limits);
  nlohmann::json save_tickets() const;
  nlohmann::json save_limits() const;
  TaskLimits read_limits(const nlohmann::json& saved) const;
  std::vector<std::unique_ptr<RewardScale>> read_more_scales(const nlohmann::json& scale) const;
  static Tickets read_tickets(const nlohmann::json& saved, std::uint64_t issued, int tasks);
  static VoidTickets read_void_tickets(const nlohmann::json& saved, std::uint64_t issued);

  std::vector<std::string> tasks_;
  std::unique_ptr<Policy> policy_;
  std::unique_ptr<RewardScale> scale_;
  // Scales of the signals after the first. Empty until a ticket is settled by several.
  std::vector<std::unique_ptr<RewardScale>> more_scales_;
  std::uint64_t seed_;
  std::uint64_t issued_ = 0;
  std::uint64_t rounds_ = 0;
  Tickets outstanding_;
  VoidTickets void_;
  LimitedPolicy limited_;
};

}  // namespace gradus
