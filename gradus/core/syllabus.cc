#include "gradus/core/syllabus.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/random.h"
#include "gradus/core/state.h"

namespace gradus {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "gradus-syllabus";
constexpr int kVersion = 1;

// Says where a saved task set differs from ours, by the first difference.
std::string task_difference(const std::vector<std::string>& saved,
                            const std::vector<std::string>& ours) {
  for (std::size_t i = 0; i < std::min(saved.size(), ours.size()); ++i) {
    if (saved[i] != ours[i]) {
      return "task " + std::to_string(i) + " is \"" + saved[i] + "\" there and \"" + ours[i] +
             "\" here";
    }
  }
  return std::to_string(saved.size()) + " tasks there and " + std::to_string(ours.size()) + " here";
}

void require_same(const char* what, const json& saved, const json& ours) {
  if (saved == ours) return;
  throw InputError(std::string("saved syllabus has another ") + what + ": " + saved.dump() +
                   " there and " + ours.dump() + " here");
}

std::string text_of(const Ticket& ticket) {
  return "task " + std::to_string(ticket.task) + " at probability " + to_text(ticket.probability);
}

std::map<std::uint64_t, Ticket> read_tickets(const json& saved, std::uint64_t issued, int tasks) {
  if (!saved.is_array()) throw InputError("saved syllabus has no list of outstanding tickets");
  std::map<std::uint64_t, Ticket> tickets;
  for (const json& entry : saved) {
    const std::uint64_t id = read_count(entry, "id");
    const std::uint64_t task = read_count(entry, "task");
    const auto probability = entry.at("probability").get<double>();
    const bool possible = id < issued && task < static_cast<std::uint64_t>(tasks) &&
                          probability > 0 && probability <= 1 && !tickets.contains(id);
    if (!possible) throw InputError("saved syllabus has an impossible ticket " + entry.dump());
    tickets.emplace(id, Ticket{id, static_cast<int>(task), probability});
  }
  return tickets;
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
  return issue(policy_->draw(random.uniform()));
}

Ticket Syllabus::ticket_for(int task) {
  if (task < 0 || task >= policy_->size()) {
    throw InputError("task " + std::to_string(task) + " is not one of the " +
                     std::to_string(tasks_.size()) + " tasks 0.." +
                     std::to_string(tasks_.size() - 1));
  }
  if (!(policy_->probability(task) > 0)) {
    throw InputError("task " + std::to_string(task) + " (" + tasks_[task] +
                     ") has probability 0 under the policy " + std::string(policy_->name()));
  }
  return issue(task);
}

Ticket Syllabus::issue(int task) {
  const Ticket ticket{issued_++, task, policy_->probability(task)};
  outstanding_.emplace(ticket.id, ticket);
  return ticket;
}

void Syllabus::check_outstanding(const Ticket& ticket) const {
  const auto found = outstanding_.find(ticket.id);
  if (found == outstanding_.end()) {
    throw InputError(
        "ticket " + std::to_string(ticket.id) +
        (ticket.id < issued_ ? " is settled or dropped already" : " was never issued"));
  }
  const Ticket& drawn = found->second;
  if (drawn.task != ticket.task || drawn.probability != ticket.probability) {
    throw InputError("ticket " + std::to_string(ticket.id) + " was changed after its draw: it is " +
                     text_of(ticket) + " and was " + text_of(drawn));
  }
}

Reward Syllabus::reward(const Ticket& ticket, double progress, double cost) {
  check_outstanding(ticket);
  const auto refuse = [&](const char* what, double value, const char* expected) {
    throw InputError("task " + std::to_string(ticket.task) + " (" + tasks_[ticket.task] +
                     "): " + what + " is " + to_text(value) + ", expected " + expected);
  };
  if (!std::isfinite(progress)) refuse("progress", progress, "a finite number");
  if (!std::isfinite(cost) || cost <= 0) refuse("cost", cost, "a finite number above 0");
  const double raw = progress / cost;
  if (!std::isfinite(raw)) refuse("progress / cost", raw, "a finite number");

  const Reward reward{raw, scale_->scale(raw)};
  policy_->update(ticket.task, ticket.probability, reward.scaled);
  ++rounds_;
  outstanding_.erase(ticket.id);
  return reward;
}

void Syllabus::drop(const Ticket& ticket) {
  check_outstanding(ticket);
  outstanding_.erase(ticket.id);
}

json Syllabus::save() const {
  json tickets = json::array();
  for (const auto& [id, ticket] : outstanding_) {
    tickets.push_back({{"id", id}, {"task", ticket.task}, {"probability", ticket.probability}});
  }
  return {
      {"format", kFormat},
      {"version", kVersion},
      {"tasks", tasks_},
      {"seed", seed_},
      {"issued", issued_},
      {"rounds", rounds_},
      {"outstanding", tickets},
      {"policy",
       {{"name", policy_->name()}, {"settings", policy_->settings()}, {"state", policy_->state()}}},
      {"scale", {{"settings", scale_->settings()}, {"state", scale_->state()}}}};
}

void Syllabus::restore(const json& saved) try {
  require_same("format", saved.at("format"), kFormat);
  require_same("version", saved.at("version"), kVersion);
  const auto tasks = saved.at("tasks").get<std::vector<std::string>>();
  if (tasks != tasks_) {
    throw InputError("saved syllabus has another task set: " + task_difference(tasks, tasks_));
  }
  require_same("seed", saved.at("seed"), seed_);
  const json& policy = saved.at("policy");
  require_same("policy", policy.at("name"), policy_->name());
  require_same("policy setting", policy.at("settings"), policy_->settings());
  require_same("reward scale", saved.at("scale").at("settings"), scale_->settings());

  const std::uint64_t issued = read_count(saved, "issued");
  const std::uint64_t rounds = read_count(saved, "rounds");
  auto outstanding = read_tickets(saved.at("outstanding"), issued, policy_->size());
  if (rounds > issued - outstanding.size()) {
    throw InputError("saved syllabus is damaged: " + std::to_string(rounds) +
                     " rewards settled and " + std::to_string(outstanding.size()) +
                     " tickets outstanding of " + std::to_string(issued) + " issued");
  }

  const json policy_before = policy_->state();
  policy_->restore(policy.at("state"));
  try {
    scale_->restore(saved.at("scale").at("state"));
  } catch (...) {
    policy_->restore(policy_before);
    throw;
  }
  issued_ = issued;
  rounds_ = rounds;
  outstanding_ = std::move(outstanding);
} catch (const json::exception& error) {
  throw InputError(std::string("saved syllabus is damaged: ") + error.what());
}

}  // namespace gradus
