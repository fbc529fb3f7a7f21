// SPDX-License-Identifier: Apache-2.0
// The saved state of a syllabus.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/core/syllabus.h"

namespace gradus {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "gradus-syllabus";
constexpr int kVersion = 2;
constexpr std::uint64_t kMostTasks = 1u << 24;
// Earlier versions rounded some probabilities of 1 up.
constexpr double kLargestProbability = 1 + 1e-12;

// Describes the first difference between a saved task set and ours.
std::string task_difference(const std::vector<std::string>& saved,
                            const std::vector<std::string>& ours) {
  for (std::size_t i = 0; i < std::min(saved.size(), ours.size()); ++i) {
    if (saved[i] != ours[i]) {
      return "task " + std::to_string(i) + " is \"" + saved[i] + "\", expected \"" + ours[i] + "\"";
    }
  }
  return std::to_string(saved.size()) + " tasks, expected " + std::to_string(ours.size());
}

void require_same(const char* what, const json& saved, const json& ours) {
  if (saved == ours) return;
  throw InputError(std::string("saved syllabus has a different ") + what + ": " + saved.dump() +
                   ", expected " + ours.dump());
}

}  // namespace

json Syllabus::save_tickets() const {
  json tickets = json::array();
  for (const auto& [id, entry] : outstanding_) {
    tickets.push_back({{"id", id},
                       {"task", entry.task},
                       {"drawn_as", entry.ticket.task},
                       {"probability", entry.ticket.probability}});
  }
  return tickets;
}

Syllabus::Tickets Syllabus::read_tickets(const json& saved, std::uint64_t issued, int tasks) {
  if (!saved.is_array()) throw InputError("saved syllabus has no list of outstanding tickets");
  Tickets tickets;
  for (const json& entry : saved) {
    const std::uint64_t id = read_count(entry, "id");
    const std::uint64_t task = read_count(entry, "task");
    const std::uint64_t drawn_as = read_count(entry, "drawn_as");
    const auto probability = read_field(entry, "probability").get<double>();
    const bool possible = id < issued && task < static_cast<std::uint64_t>(tasks) &&
                          drawn_as >= task && drawn_as <= kMostTasks && probability > 0 &&
                          probability <= kLargestProbability && !tickets.contains(id);
    if (!possible) throw InputError("saved syllabus has an impossible ticket " + entry.dump());
    const Ticket ticket{id, static_cast<int>(drawn_as), probability};
    tickets.emplace(id, Entry{ticket, static_cast<int>(task)});
  }
  return tickets;
}

Syllabus::VoidTickets Syllabus::read_void_tickets(const json& saved, std::uint64_t issued) {
  if (!saved.is_array()) throw InputError("saved syllabus has no list of void tickets");
  VoidTickets tickets;
  for (const json& entry : saved) {
    const std::uint64_t id = read_count(entry, "id");
    const bool possible = id < issued && !tickets.contains(id);
    if (!possible) throw InputError("saved syllabus has an impossible ticket " + entry.dump());
    tickets.emplace(id, read_field(entry, "task").get<std::string>());
  }
  return tickets;
}

json Syllabus::save_limits() const {
  json limits = json::array();
  for (const auto& [task, limit] : limited_.limits()) {
    limits.push_back({{"task", task},
                      {"floor", limit.floor},
                      {"ceiling", limit.ceiling},
                      {"frozen", limit.frozen}});
  }
  return limits;
}

TaskLimits Syllabus::read_limits(const json& saved) const {
  if (!saved.is_array()) throw InputError("saved syllabus has no list of limits");
  TaskLimits limits;
  for (const json& entry : saved) {
    const std::uint64_t task = read_count(entry, "task");
    if (task >= tasks_.size()) {
      throw InputError("saved syllabus has an impossible limit " + entry.dump());
    }
    limits[static_cast<int>(task)] = {read_field(entry, "floor").get<double>(),
                                      read_field(entry, "ceiling").get<double>(),
                                      read_field(entry, "frozen").get<bool>()};
  }
  check_limits(tasks_, limits);
  return limits;
}

// Missing unless a ticket was settled by several signals.
std::vector<std::unique_ptr<RewardScale>> Syllabus::read_more_scales(const json& scale) const {
  const json states = scale.value("more", json::array());
  const auto most = static_cast<std::size_t>(policy_->signals() - 1);
  if (!states.is_array() || (!states.empty() && states.size() != most)) {
    throw InputError("saved syllabus has other signals, expected scales of " +
                     std::to_string(most) + " after the first");
  }
  std::vector<std::unique_ptr<RewardScale>> scales;
  for (const json& state : states) {
    scales.push_back(scale_->fresh());
    scales.back()->restore(state);
  }
  return scales;
}

json Syllabus::save() const {
  json void_tickets = json::array();
  for (const auto& [id, task] : void_) void_tickets.push_back({{"id", id}, {"task", task}});
  json scale = {{"settings", scale_->settings()}, {"state", scale_->state()}};
  for (const auto& more : more_scales_) scale["more"].push_back(more->state());
  return {
      {"format", kFormat},
      {"version", kVersion},
      {"tasks", tasks_},
      {"seed", seed_},
      {"issued", issued_},
      {"rounds", rounds_},
      {"outstanding", save_tickets()},
      {"void", void_tickets},
      {"limits", save_limits()},
      {"policy",
       {{"name", policy_->name()}, {"settings", policy_->settings()}, {"state", policy_->state()}}},
      {"scale", scale}};
}

void Syllabus::restore(const json& saved) try {
  require_same("format", read_field(saved, "format"), kFormat);
  require_same("version", read_field(saved, "version"), kVersion);
  const auto tasks = read_field(saved, "tasks").get<std::vector<std::string>>();
  if (tasks != tasks_) {
    throw InputError("saved syllabus has a different task set: " + task_difference(tasks, tasks_));
  }
  require_same("seed", read_field(saved, "seed"), seed_);
  const json& policy = read_field(saved, "policy");
  const json& scale = read_field(saved, "scale");
  require_same("policy", read_field(policy, "name"), policy_->name());
  require_same("policy setting", read_field(policy, "settings"), policy_->settings());
  require_same("reward scale", read_field(scale, "settings"), scale_->settings());

  const std::uint64_t issued = read_count(saved, "issued");
  const std::uint64_t rounds = read_count(saved, "rounds");
  auto outstanding = read_tickets(read_field(saved, "outstanding"), issued, policy_->size());
  auto void_tickets = read_void_tickets(read_field(saved, "void"), issued);
  auto limits = read_limits(read_field(saved, "limits"));
  auto more_scales = read_more_scales(scale);
  if (rounds > issued - outstanding.size()) {
    throw InputError("saved syllabus is damaged: " + std::to_string(rounds) +
                     " rewards settled and " + std::to_string(outstanding.size()) +
                     " tickets outstanding of " + std::to_string(issued) + " issued");
  }

  const json policy_before = policy_->state();
  policy_->restore(read_field(policy, "state"));
  try {
    scale_->restore(read_field(scale, "state"));
  } catch (...) {
    policy_->restore(policy_before);
    throw;
  }
  more_scales_ = std::move(more_scales);
  issued_ = issued;
  rounds_ = rounds;
  outstanding_ = std::move(outstanding);
  void_ = std::move(void_tickets);
  replace_limits(std::move(limits));
} catch (const json::exception& error) {
  throw InputError(std::string("saved syllabus is damaged: ") + error.what());
}

}  // namespace gradus
