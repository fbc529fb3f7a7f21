#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/policy.h"
#include "gradus/core/reward_scale.h"

namespace gradus {

/// A drawn task, to be settled with its reward later. The probability is that of the draw, so the
/// importance weight stays right however many rewards are settled in between.
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

/// A time-varying distribution over tasks: a policy and the scale of its rewards. Rewards may come
/// late, out of order, or never; several tickets may be outstanding. Not thread-safe.
class Syllabus {
 public:
  /// `tasks` are the names; policy->size() must equal their number.
  Syllabus(std::vector<std::string> tasks, std::unique_ptr<Policy> policy,
           std::unique_ptr<RewardScale> scale, std::uint64_t seed);

  const std::vector<std::string>& tasks() const { return tasks_; }
  const Policy& policy() const { return *policy_; }
  const RewardScale& scale() const { return *scale_; }
  std::size_t outstanding() const { return outstanding_.size(); }
  /// Settled rewards so far.
  std::uint64_t rounds() const { return rounds_; }

  /// Draws a task: a pure function of the seed, the number of tickets before it, and the policy.
  Ticket draw();
  /// A ticket for a task that somebody else chose, at its present probability.
  Ticket ticket_for(int task);

  /// Settles a ticket. Throws InputError, with the policy and the ticket as they were, where
  /// progress or cost is not finite, cost is not positive, or the ticket is not outstanding.
  Reward reward(const Ticket& ticket, double progress, double cost);
  /// Gives a ticket up: it will earn no reward. A ticket that is simply forgotten costs a few bytes
  /// here and in saved states, nothing else.
  void drop(const Ticket& ticket);

  /// The whole state as versioned JSON; restore() continues exactly from there. It throws
  /// InputError, leaving this syllabus as it was, where the state is of another format, version,
  /// task set, seed, policy or scale, saying which.
  nlohmann::json save() const;
  void restore(const nlohmann::json& saved);

 private:
  Ticket issue(int task);
  void check_outstanding(const Ticket& ticket) const;

  std::vector<std::string> tasks_;
  std::unique_ptr<Policy> policy_;
  std::unique_ptr<RewardScale> scale_;
  std::uint64_t seed_;
  std::uint64_t issued_ = 0;
  std::uint64_t rounds_ = 0;
  std::map<std::uint64_t, Ticket> outstanding_;
};

}  // namespace gradus
