// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/syllabus.h"

#include <cmath>
#include <stdexcept>

#include "gradus/core/error.h"
#include "gradus/core/random.h"

namespace gradus {
namespace {

std::string text_of(const Ticket& ticket) {
  return "task " + std::to_string(ticket.task) + " at probability " + to_text(ticket.probability);
}

}  // namespace

Syllabus::Syllabus(std::vector<std::string> tasks, std::unique_ptr<Policy> policy,
                   std::unique_ptr<RewardScale> scale, std::uint64_t seed)
    : tasks_(std::move(tasks)), policy_(std::move(policy)), scale_(std::move(scale)), seed_(seed) {
  if (static_cast<std::size_t>(policy_->size()) != tasks_.size()) {
    throw std::logic_error("syllabus of " + std::to_string(tasks_.size()) +
                           " tasks has a policy over " + std::to_string(policy_->size()));
  }
}

Ticket Syllabus::draw() {
  Random random(seed_, Purpose::kPolicyDraw, issued_);
  const double u = random.uniform();
  return issue(limited_.empty() ? policy_->draw(u) : draw_from(limited_, u));
}

double Syllabus::probability(int task) const {
  return limited_.empty() ? policy_->probability(task) : limited_[task];
}

std::vector<double> Syllabus::probabilities() const {
  return limited_.empty() ? policy_->probabilities() : limited_;
}

Ticket Syllabus::ticket_for(int task) {
  check_task(task);
  if (!(probability(task) > 0)) {
    const std::string why =
        limit(task).frozen ? ") is frozen"
                           : ") has probability 0 under the policy " + std::string(policy_->name());
    throw InputError("task " + std::to_string(task) + " (" + tasks_[task] + why);
  }
  return issue(task);
}

int Syllabus::probe_task(const Ticket& ticket) const {
  Random random(seed_, Purpose::kProbeTask, ticket.id);
  return static_cast<int>(random.below(static_cast<std::uint32_t>(tasks_.size())));
}

Ticket Syllabus::issue(int task) {
  const Ticket ticket{issued_++, task, probability(task)};
  outstanding_.emplace(ticket.id, Entry{ticket, task});
  return ticket;
}

const Syllabus::Entry& Syllabus::outstanding_entry(const Ticket& ticket) const {
  const std::string name = "ticket " + std::to_string(ticket.id);
  const auto found = outstanding_.find(ticket.id);
  if (found == outstanding_.end()) {
    if (const auto removed = void_.find(ticket.id); removed != void_.end()) {
      throw InputError(name + " is void: its task \"" + removed->second + "\" was removed");
    }
    throw InputError(name + (ticket.id < issued_ ? " has already been settled or dropped"
                                                 : " was never issued"));
  }
  const Ticket& drawn = found->second.ticket;
  if (drawn.task != ticket.task || drawn.probability != ticket.probability) {
    throw InputError(name + " was changed after it was drawn: it is " + text_of(ticket) +
                     ", expected " + text_of(drawn));
  }
  return found->second;
}

bool Syllabus::is_outstanding(const Ticket& ticket) const {
  if (ticket.id < issued_ && !outstanding_.contains(ticket.id)) return false;
  outstanding_entry(ticket);
  return true;
}

Reward Syllabus::reward(const Ticket& ticket, double progress, double cost) {
  const int task = outstanding_entry(ticket).task;
  const auto refuse = [&](const char* what, double value, const char* expected) {
    throw InputError("task " + std::to_string(task) + " (" + tasks_[task] + "): " + what + " is " +
                     to_text(value) + ", expected " + expected);
  };
  if (!std::isfinite(progress)) refuse("progress", progress, "a finite number");
  if (!std::isfinite(cost) || cost <= 0) refuse("cost", cost, "a finite number above 0");
  const double raw = progress / cost;
  if (!std::isfinite(raw)) refuse("progress / cost", raw, "a finite number");

  const Reward reward{raw, scale_->scale(raw)};
  policy_->update(task, ticket.probability, reward.scaled);
  apply_limits();
  ++rounds_;
  outstanding_.erase(ticket.id);
  return reward;
}

void Syllabus::drop(const Ticket& ticket) {
  outstanding_entry(ticket);
  outstanding_.erase(ticket.id);
}

}  // namespace gradus
