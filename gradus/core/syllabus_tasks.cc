// SPDX-License-Identifier: Apache-2.0
// Changing the tasks of a syllabus while it is in use.

#include <algorithm>
#include <bit>

#include "gradus/core/error.h"
#include "gradus/core/hash.h"
#include "gradus/core/syllabus.h"

namespace gradus {

int Syllabus::task_index(std::string_view name) const {
  return find_known("task", name, tasks_);
}

void Syllabus::check_task(int task) const {
  if (task >= 0 && task < policy_->size()) return;
  throw InputError("task " + std::to_string(task) + " is not one of the " +
                   std::to_string(tasks_.size()) + " tasks 0.." +
                   std::to_string(tasks_.size() - 1));
}

void Syllabus::replace_limits(TaskLimits limits) {
  limited_ = LimitedPolicy(std::move(limits));
  limited_.refresh(*policy_);
}

TaskLimit Syllabus::limit(int task) const {
  check_task(task);
  return limited_.limit(task);
}

void Syllabus::set_limit(int task, const TaskLimit& limit) {
  set_limits({{task, limit}});
}

void Syllabus::set_limits(const TaskLimits& changes) {
  TaskLimits limits = limited_.limits();
  for (const auto& [task, limit] : changes) {
    check_task(task);
    limits[task] = limit;
  }
  check_limits(tasks_, limits);
  replace_limits(std::move(limits));
}

void Syllabus::add_task(std::string name) {
  if (std::find(tasks_.begin(), tasks_.end(), name) != tasks_.end()) {
    throw InputError("task \"" + name + "\" already exists, expected another name");
  }
  tasks_.push_back(std::move(name));
  policy_->add_task();
  limited_.refresh(*policy_);
}

void Syllabus::remove_task(int task) {
  check_task(task);
  if (tasks_.size() == 1) throw InputError("the only task cannot be removed");
  std::vector<std::string> tasks = tasks_;
  tasks.erase(tasks.begin() + task);
  TaskLimits limits;
  for (const auto& [limited, limit] : limited_.limits()) {
    if (limited != task) limits[limited < task ? limited : limited - 1] = limit;
  }
  check_limits(tasks, limits);
  policy_->remove_task(task);

  for (auto at = outstanding_.begin(); at != outstanding_.end();) {
    Entry& entry = at->second;
    if (entry.task == task) {
      void_.emplace(at->first, tasks_[task]);
      at = outstanding_.erase(at);
      continue;
    }
    if (entry.task > task) --entry.task;
    ++at;
  }
  tasks_ = std::move(tasks);
  replace_limits(std::move(limits));
}

std::uint64_t Syllabus::fingerprint() const {
  Fingerprint fingerprint;
  for (const std::uint64_t count : {seed_, issued_, rounds_}) fingerprint.add(count);
  fingerprint.add(outstanding_.size());
  const RewardScale::Range range = scale_->range();
  const auto add_real = [&](double value) { fingerprint.add(std::bit_cast<std::uint64_t>(value)); };
  add_real(range.low);
  add_real(range.high);
  for (const double p : probabilities()) add_real(p);
  for (const std::string& task : tasks_) fingerprint.add(name_hash64(task));
  return fingerprint.value();
}

}  // namespace gradus
