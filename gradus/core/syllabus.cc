// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/syllabus.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_set>
#include <utility>

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

int Syllabus::draw_at(double u) const {
  return limited_.empty() ? policy_->draw(u) : limited_.draw(*policy_, u);
}

Ticket Syllabus::draw() {
  Random random(seed_, Purpose::kPolicyDraw, issued_);
  return issue(draw_at(random.uniform()));
}

std::vector<Ticket> Syllabus::draw(int n) {
  std::vector<Ticket> tickets;
  for (int i = 0; i < n; ++i) tickets.push_back(draw());
  return tickets;
}

// Systematic sampling: n equally spaced quantiles with a common random offset, in random order, so
// that every part of a batch has the tasks of the whole.
std::vector<Ticket> Syllabus::draw_quotas(int n) {
  Random random(seed_, Purpose::kPolicyDraw, issued_);
  const double offset = random.uniform();
  std::vector<int> tasks;
  for (int i = 0; i < n; ++i) {
    const double u = (i + offset) / n;
    tasks.push_back(draw_at(std::min(u, std::nextafter(1.0, 0.0))));
  }
  shuffle(tasks, random);
  std::vector<Ticket> tickets;
  for (const int task : tasks) tickets.push_back(issue(task));
  return tickets;
}

double Syllabus::probability(int task) const {
  check_task(task);
  return limited_.empty() ? policy_->probability(task) : limited_.probability(*policy_, task);
}

std::vector<double> Syllabus::probabilities() const {
  return limited_.empty() ? policy_->probabilities() : limited_.probabilities(*policy_);
}

Ticket Syllabus::ticket_for(int task, std::optional<double> probability) {
  check_task(task);
  const std::string name = "task " + std::to_string(task) + " (" + tasks_[task] + ")";
  if (probability) {
    if (*probability > 0 && *probability <= 1) return issue(task, *probability);
    throw InputError(name + ": probability is " + to_text(*probability) +
                     ", expected a number above 0 and at most 1");
  }
  if (this->probability(task) > 0) return issue(task);
  throw InputError(name + (limit(task).frozen ? " is frozen"
                                              : " has probability 0 under the policy " +
                                                    std::string(policy_->name())));
}

int Syllabus::probe_task(const Ticket& ticket) const {
  Random random(seed_, Purpose::kProbeTask, ticket.id);
  return static_cast<int>(random.below(static_cast<std::uint32_t>(tasks_.size())));
}

Ticket Syllabus::issue(int task, double probability) {
  const Ticket ticket{issued_++, task, probability};
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

double Syllabus::raw_reward(int task, double progress, double cost) const {
  const auto refuse = [&](const char* what, double value, const char* expected) {
    throw InputError("task " + std::to_string(task) + " (" + tasks_[task] + "): " + what + " is " +
                     to_text(value) + ", expected " + expected);
  };
  if (!std::isfinite(progress)) refuse("progress", progress, "a finite number");
  if (!std::isfinite(cost) || cost <= 0) refuse("cost", cost, "a finite number above 0");
  const double raw = progress / cost;
  if (!std::isfinite(raw)) refuse("progress / cost", raw, "a finite number");
  return raw;
}

Reward Syllabus::settle(int task, double probability, double raw) {
  const Reward reward{raw, scale_->scaled(raw)};
  policy_->update(task, probability, reward.scaled);
  limited_.changed(task);
  scale_->add(raw);
  ++rounds_;
  return reward;
}

Reward Syllabus::settle_signals(int task, double probability, std::span<const double> raws) {
  while (more_scales_.size() + 1 < raws.size()) more_scales_.push_back(scale_->fresh());
  std::vector<double> scaled = {scale_->scaled(raws[0])};
  for (std::size_t i = 1; i < raws.size(); ++i) {
    scaled.push_back(more_scales_[i - 1]->scaled(raws[i]));
  }
  policy_->update_signals(task, probability, scaled);
  limited_.changed(task);
  scale_->add(raws[0]);
  for (std::size_t i = 1; i < raws.size(); ++i) more_scales_[i - 1]->add(raws[i]);
  ++rounds_;
  return {raws[0], scaled[0]};
}

Reward Syllabus::reward(const Ticket& ticket, double progress, double cost) {
  const int task = outstanding_entry(ticket).task;
  const Reward reward = settle(task, ticket.probability, raw_reward(task, progress, cost));
  outstanding_.erase(ticket.id);
  limited_.refresh(*policy_);
  return reward;
}

Reward Syllabus::reward(const Ticket& ticket, std::span<const double> progress, double cost) {
  if (progress.size() == 1) return reward(ticket, progress[0], cost);
  if (progress.size() != static_cast<std::size_t>(policy_->signals())) {
    throw InputError("progress has " + std::to_string(progress.size()) +
                     " numbers, expected 1 or one for each signal of policy " +
                     std::string(policy_->name()) + ", " + std::to_string(policy_->signals()));
  }
  const int task = outstanding_entry(ticket).task;
  std::vector<double> raws;
  for (const double each : progress) raws.push_back(raw_reward(task, each, cost));
  const Reward reward = settle_signals(task, ticket.probability, raws);
  outstanding_.erase(ticket.id);
  limited_.refresh(*policy_);
  return reward;
}

std::vector<Reward> Syllabus::reward_batch(std::span<const Ticket> tickets,
                                           std::span<const double> progress,
                                           std::span<const double> costs) {
  std::vector<int> tasks;
  std::vector<double> raws;
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    tasks.push_back(outstanding_entry(tickets[i]).task);
    raws.push_back(raw_reward(tasks.back(), progress[i], costs[i]));
    if (seen.insert(tickets[i].id).second) continue;
    throw InputError("ticket " + std::to_string(tickets[i].id) + " is given twice");
  }
  std::vector<Reward> rewards;
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    rewards.push_back(settle(tasks[i], tickets[i].probability, raws[i]));
    outstanding_.erase(tickets[i].id);
  }
  limited_.refresh(*policy_);
  return rewards;
}

std::vector<Reward> Syllabus::reward_all(std::span<const double> progress,
                                         std::span<const double> costs) {
  std::vector<Reward> rewards;
  std::vector<double> scaled;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const double raw = raw_reward(static_cast<int>(i), progress[i], costs[i]);
    scaled.push_back(scale_->scaled(raw));
    rewards.push_back({raw, scaled.back()});
  }
  policy_->update_all(scaled);
  for (const Reward& reward : rewards) scale_->add(reward.raw);
  ++issued_;
  ++rounds_;
  limited_.refresh(*policy_);
  return rewards;
}

void Syllabus::drop(const Ticket& ticket) {
  outstanding_entry(ticket);
  outstanding_.erase(ticket.id);
}

}  // namespace gradus
