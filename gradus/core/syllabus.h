#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/policy.h"
#include "gradus/core/reward_scale.h"
#include "gradus/core/task_limits.h"

namespace gradus {

/// A drawn task, to be settled with its reward later. The probability is that of the draw, so the
/// importance weight stays right however many rewards are settled in between. `task` counts the
/// tasks as they were at the draw; the ticket stays good when others are removed.
struct Ticket {
  std::uint64_t id = 0;
  int task = 0;
  double probability = 0;
};

/// A settled reward: progress / cost, and what the scale made of it.
struct Reward {
  double raw = 0;
  double scaled = 0;
};

/// A time-varying distribution over tasks: a policy, limits that a user may set, and the scale of
/// its rewards. Rewards may come late, out of order, or never; several tickets may be outstanding;
/// tasks may come and go. Not thread-safe.
class Syllabus {
 public:
  /// `tasks` are the names; policy->size() must equal their number.
  Syllabus(std::vector<std::string> tasks, std::unique_ptr<Policy> policy,
           std::unique_ptr<RewardScale> scale, std::uint64_t seed);

  const std::vector<std::string>& tasks() const { return tasks_; }
  const Policy& policy() const { return *policy_; }
  const RewardScale& scale() const { return *scale_; }
  std::size_t outstanding() const { return outstanding_.size(); }
  std::uint64_t seed() const { return seed_; }
  /// Tickets so far; the next one's id.
  std::uint64_t issued() const { return issued_; }
  /// Settled rewards so far.
  std::uint64_t rounds() const { return rounds_; }
  /// The place of the task `name`. Throws InputError, offering the nearest, where there is none.
  int task_index(std::string_view name) const;

  /// What draw() draws from: the policy under the limits.
  double probability(int task) const;
  std::vector<double> probabilities() const;

  /// Draws a task: a pure function of the seed, the number of tickets before it, the policy and the
  /// limits.
  Ticket draw();
  /// A ticket for a task that somebody else chose, at its present probability.
  Ticket ticket_for(int task);

  /// Settles a ticket. Throws InputError, with the policy and the ticket as they were, where
  /// progress or cost is not finite, cost is not positive, or the ticket is not outstanding.
  Reward reward(const Ticket& ticket, double progress, double cost);
  /// Gives a ticket up: it will earn no reward. A ticket that is simply forgotten costs a few bytes
  /// here and in saved states, nothing else.
  void drop(const Ticket& ticket);
  /// Whether the ticket can still be settled. Throws InputError for one that was never issued.
  bool is_outstanding(const Ticket& ticket) const;
  /// Whether its task was removed while the ticket was outstanding.
  bool is_void(const Ticket& ticket) const { return void_.contains(ticket.id); }

  /// Limits of one task (task_limits.h); the policy goes on learning below them. Each throws
  /// InputError, changing nothing, where no distribution could keep all limits.
  TaskLimit limit(int task) const;
  void set_limit(int task, const TaskLimit& limit);

  /// Adds a task at the end, or takes one out; `policy` is the present one over the new tasks
  /// (gradus/policies/change_tasks.h makes it). Tickets of a removed task are void: they count as
  /// given up, and settling one is refused. Throws InputError, changing nothing, where the name is
  /// taken or the limits of the remaining tasks leave no distribution.
  void add_task(std::string name, std::unique_ptr<Policy> policy);
  void remove_task(int task, std::unique_ptr<Policy> policy);

  /// A number that two syllabuses share when they will go on alike under equal rewards, and almost
  /// certainly do not share otherwise; takes O(N).
  std::uint64_t fingerprint() const;

  /// The whole state as versioned JSON; restore() continues exactly from there. It throws
  /// InputError, leaving this syllabus as it was, where the state is of another format, version,
  /// task set, seed, policy or scale, saying which.
  nlohmann::json save() const;
  void restore(const nlohmann::json& saved);

 private:
  // A ticket as drawn, and where its task is now.
  struct Entry {
    Ticket ticket;
    int task;
  };
  using Tickets = std::map<std::uint64_t, Entry>;
  using VoidTickets = std::map<std::uint64_t, std::string>;  // by id, the removed task's name

  Ticket issue(int task);
  void check_task(int task) const;
  const Entry& outstanding_entry(const Ticket& ticket) const;
  void set_limits(std::vector<TaskLimit> limits);
  void apply_limits();
  std::vector<TaskLimit> all_limits() const;
  nlohmann::json save_tickets() const;
  nlohmann::json save_limits() const;
  std::vector<TaskLimit> read_limits(const nlohmann::json& saved) const;
  static Tickets read_tickets(const nlohmann::json& saved, std::uint64_t issued, int tasks);
  static VoidTickets read_void_tickets(const nlohmann::json& saved, std::uint64_t issued);

  std::vector<std::string> tasks_;
  std::unique_ptr<Policy> policy_;
  std::unique_ptr<RewardScale> scale_;
  std::uint64_t seed_;
  std::uint64_t issued_ = 0;
  std::uint64_t rounds_ = 0;
  Tickets outstanding_;
  VoidTickets void_;
  std::vector<TaskLimit> limits_;  // empty where there are none
  std::vector<double> limited_;    // the policy under limits; empty likewise
};

}  // namespace gradus
