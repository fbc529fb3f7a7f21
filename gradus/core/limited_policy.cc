// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/limited_policy.h"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

// If the policy gives the tasks without limits less than this, differences of cumulative
// probabilities are too inexact for them.
constexpr double kLeastRest = 1e-3;

// With fewer limits, OrderedLimits is slower.
constexpr std::size_t kLeastOrdered = 32;

// The first place whose upper end is above u. It is never empty.
std::size_t find_place(const std::vector<double>& ends, double u) {
  const auto found = std::upper_bound(ends.begin(), ends.end(), u);
  if (found != ends.end()) return found - ends.begin();
  // Rounding may leave the last end slightly below 1, and u above it.
  return std::lower_bound(ends.begin(), ends.end(), ends.back()) - ends.begin();
}

}  // namespace

LimitedPolicy::LimitedPolicy(TaskLimits limits) : limits_(std::move(limits)) {
  std::erase_if(limits_, [](const auto& entry) { return entry.second == TaskLimit{}; });
  for (const auto& [task, limit] : limits_) tasks_.push_back(task);
}

TaskLimit LimitedPolicy::limit(int task) const {
  const auto found = limits_.find(task);
  return found == limits_.end() ? TaskLimit{} : found->second;
}

std::vector<LimitedPolicy::Gap> LimitedPolicy::find_gaps(const Policy& policy) const {
  std::vector<Gap> gaps;
  const std::vector<double> below = policy.below(tasks_);
  Gap gap;
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    gap.count = tasks_[k] - gap.first;
    if (gap.count > 0) gap.mass = std::max(0.0, below[k] - gap.start);
    gaps.push_back(gap);
    gap = {.first = tasks_[k] + 1, .start = below[k] + policy.probability(tasks_[k])};
  }
  gap.count = policy.size() - gap.first;
  if (gap.count > 0) gap.mass = std::max(0.0, 1 - gap.start);
  gaps.push_back(gap);
  return gaps;
}

void LimitedPolicy::changed(int task) {
  if (ordered_) changed_.push_back(task);
}

bool LimitedPolicy::refresh_ordered(const Policy& policy) {
  if (tasks_.size() < kLeastOrdered) return false;
  if (ordered_for_ != policy.size()) {
    ordered_ = OrderedLimits::make(policy, limits_);
    ordered_for_ = policy.size();
  }
  is_ordered_ = ordered_ && ordered_->refresh(policy, changed_);
  changed_.clear();
  return is_ordered_;
}

void LimitedPolicy::refresh(const Policy& policy) {
  if (empty()) return;
  gaps_.clear();
  cumulative_.clear();
  if (refresh_ordered(policy)) return;
  if (2 * tasks_.size() > static_cast<std::size_t>(policy.size())) return store_all(policy);
  std::vector<Gap> gaps = find_gaps(policy);
  double rest = 0;
  for (const Gap& gap : gaps) rest += gap.mass;
  if (rest < kLeastRest) return store_all(policy);
  gaps_ = std::move(gaps);
  store_limited(policy, rest);
}

void LimitedPolicy::store_all(const Policy& policy) {
  std::vector<TaskLimit> limits(policy.size());
  for (const auto& [task, limit] : limits_) limits[task] = limit;
  limited_ = limited_distribution(policy.probabilities(), limits);
  double end = 0;
  for (const double p : limited_) cumulative_.push_back(end += p);
}

// The tasks without limits count as one task.
void LimitedPolicy::store_limited(const Policy& policy, double rest) {
  std::vector<double> weights;
  std::vector<TaskLimit> limits;
  for (const auto& [task, limit] : limits_) {
    weights.push_back(policy.probability(task));
    limits.push_back(limit);
  }
  weights.push_back(rest);
  limits.emplace_back();
  limited_ = limited_distribution(weights, limits);
  factor_ = limited_.back() / rest;
  limited_.pop_back();
  double end = 0;
  for (std::size_t k = 0; k < gaps_.size(); ++k) {
    cumulative_.push_back(end += factor_ * gaps_[k].mass);
    if (k < limited_.size()) cumulative_.push_back(end += limited_[k]);
  }
}

double LimitedPolicy::probability(const Policy& policy, int task) const {
  if (is_ordered_) {
    const TaskLimit own = limit(task);
    if (own.frozen) return 0;
    return std::clamp(ordered_->factor() * policy.probability(task), own.floor, own.ceiling);
  }
  if (gaps_.empty()) return limited_[task];
  const auto found = std::lower_bound(tasks_.begin(), tasks_.end(), task);
  if (found != tasks_.end() && *found == task) return limited_[found - tasks_.begin()];
  return std::min(1.0, factor_ * policy.probability(task));  // the product is rounded
}

std::vector<double> LimitedPolicy::probabilities(const Policy& policy) const {
  if (is_ordered_) {
    std::vector<double> p(policy.size());
    for (int i = 0; i < policy.size(); ++i) p[i] = probability(policy, i);
    return p;
  }
  if (gaps_.empty()) return limited_;
  std::vector<double> p = policy.probabilities();
  for (double& each : p) each = std::min(1.0, factor_ * each);
  for (std::size_t k = 0; k < tasks_.size(); ++k) p[tasks_[k]] = limited_[k];
  return p;
}

int LimitedPolicy::draw(const Policy& policy, double u) const {
  if (is_ordered_) return ordered_->draw(u);
  const std::size_t place = find_place(cumulative_, u);
  if (gaps_.empty()) return static_cast<int>(place);
  if (place % 2 == 1) return tasks_[place / 2];
  const double start = place == 0 ? 0 : cumulative_[place - 1];
  return draw_in_gap(policy, gaps_[place / 2], (u - start) / factor_);
}

int LimitedPolicy::draw_in_gap(const Policy& policy, const Gap& gap, double offset) const {
  const double u = std::min(gap.start + offset, std::nextafter(1.0, 0.0));
  // Rounding may lead to a task beside the gap, or to one in it that the policy never draws.
  const int last = gap.first + gap.count - 1;
  int task = std::clamp(policy.draw(u), gap.first, last);
  while (task < last && !(policy.probability(task) > 0)) ++task;
  while (task > gap.first && !(policy.probability(task) > 0)) --task;
  return task;
}

}  // namespace gradus
