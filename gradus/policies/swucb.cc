// SPDX-License-Identifier: Apache-2.0
// Sliding-window UCB (Garivier & Moulines 2008, arXiv 0805.3415): an upper confidence bound over
// the last `window` rewards. N_i and S_i are the number and the sum of task i's rewards among
// these.
//
//   pi(i) = (1 - eps) [i has the largest index] + eps pi_0(i)
//
// ucb.h has the index, which depends on the prior pi_0 (prior.h); tasks with equal indexes share by
// it. ducb.cc says how such a policy behaves with late rewards, limits and new tasks. A round takes
// O(N); the state has all rewards of the window.

#include <cmath>
#include <deque>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/dense_policy.h"
#include "gradus/policies/memory.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/ucb.h"

namespace gradus {
namespace {

using nlohmann::json;

struct Earned {
  int task;
  double reward;
};

class SlidingWindowUcb final : public DensePolicy {
 public:
  SlidingWindowUcb(Prior prior, std::optional<double> window, double epsilon)
      : DensePolicy(std::move(prior)),
        window_(window),
        epsilon_(epsilon),
        counts_(prior_.size()),
        sums_(prior_.size()) {
    refresh();
  }

  std::string_view name() const override { return "swucb"; }

  void update(int task, double, double reward) override {
    earned_.push_back({task, reward});
    counts_[task] += 1;
    sums_[task] += reward;
    shorten();
    refresh();
  }

  void add_task() override {
    prior_.add_task();
    counts_.push_back(0);
    sums_.push_back(0);
    refresh();
  }
  void remove_task(int task) override {
    prior_.remove_task(task);
    std::erase_if(earned_, [=](const Earned& entry) { return entry.task == task; });
    for (Earned& entry : earned_) entry.task -= entry.task > task ? 1 : 0;
    counts_.erase(counts_.begin() + task);
    sums_.erase(sums_.begin() + task);
    shorten();
    refresh();
  }

  json settings() const override {
    json settings = {{"window", window_.setting()}, {"epsilon", epsilon_}};
    prior_.add_to(settings);
    return settings;
  }
  // The sums are saved because adding in another order would round differently.
  json state() const override {
    json state = {{"tasks", json::array()}, {"rewards", json::array()}, {"sums", sums_}};
    for (const auto& [task, reward] : earned_) {
      state["tasks"].push_back(task);
      state["rewards"].push_back(reward);
    }
    return state;
  }
  void restore(const json& state) override;

 private:
  void shorten() {
    while (static_cast<double>(earned_.size()) > window_.at(static_cast<int>(counts_.size()))) {
      const auto [task, reward] = earned_.front();
      earned_.pop_front();
      counts_[task] -= 1;
      // Rounding errors end with the task's last reward.
      sums_[task] = counts_[task] > 0 ? sums_[task] - reward : 0;
    }
  }
  void refresh() { set_policy(prior_.times(largest_index(counts_, sums_, prior_)), epsilon_); }

  Window window_;
  double epsilon_;
  std::deque<Earned> earned_;
  std::vector<double> counts_;  // whole numbers
  std::vector<double> sums_;
};

void SlidingWindowUcb::restore(const json& state) {
  const std::size_t rewards_saved = read_field(state, "rewards").size();
  const std::vector<double> rewards = read_numbers(state, "rewards", rewards_saved);
  const std::vector<std::uint64_t> tasks = read_counts(state, "tasks", rewards_saved);
  std::vector<double> sums = read_numbers(state, "sums", sums_.size());
  if (static_cast<double>(rewards_saved) > window_.at(size())) {
    throw InputError("saved policy has " + std::to_string(rewards_saved) +
                     " rewards, expected at most " + to_text(window_.at(size())));
  }
  std::deque<Earned> earned;
  std::vector<double> counts(sums.size());
  std::vector<double> totals(sums.size());
  for (std::size_t i = 0; i < rewards_saved; ++i) {
    if (tasks[i] >= sums.size() || std::abs(rewards[i]) > 1) {
      throw InputError("saved policy has a reward of " + to_text(rewards[i]) + " of task " +
                       std::to_string(tasks[i]) + ", expected -1 to 1 and a task below " +
                       std::to_string(sums.size()));
    }
    earned.push_back({static_cast<int>(tasks[i]), rewards[i]});
    counts[tasks[i]] += 1;
    totals[tasks[i]] += rewards[i];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (std::abs(sums[i] - totals[i]) <= 1e-6) continue;
    throw InputError("saved policy has a sum of " + to_text(sums[i]) + " for task " +
                     std::to_string(i) + ", expected " + to_text(totals[i]));
  }
  earned_ = std::move(earned);
  counts_ = std::move(counts);
  sums_ = std::move(sums);
  refresh();
}

}  // namespace

std::unique_ptr<Policy> make_swucb(int tasks, std::optional<double> window, double epsilon,
                                   std::vector<double> prior) {
  check_exploration(epsilon);
  return std::make_unique<SlidingWindowUcb>(Prior(tasks, std::move(prior)), window, epsilon);
}

}  // namespace gradus
