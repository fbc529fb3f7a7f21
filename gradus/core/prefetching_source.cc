// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/prefetching_source.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace gradus {
namespace {

// The `count` likeliest tasks of positive probability, likeliest first, ties by index.
std::vector<int> likeliest(const std::vector<double>& probabilities, std::size_t count) {
  std::vector<int> tasks(probabilities.size());
  std::iota(tasks.begin(), tasks.end(), 0);
  std::erase_if(tasks, [&](int task) { return !(probabilities[task] > 0); });
  const auto middle = tasks.begin() + static_cast<std::ptrdiff_t>(std::min(count, tasks.size()));
  std::partial_sort(tasks.begin(), middle, tasks.end(), [&](int a, int b) {
    if (probabilities[a] != probabilities[b]) return probabilities[a] > probabilities[b];
    return a < b;
  });
  tasks.erase(middle, tasks.end());
  return tasks;
}

}  // namespace

PrefetchingSource::PrefetchingSource(BatchSource source, int capacity)
    : source_(std::move(source)), capacity_(static_cast<std::size_t>(std::max(capacity, 0))) {
  if (capacity_ == 0) return;
  expected_.emplace(counts().size(), 1.0);
  worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

PrefetchingSource::~PrefetchingSource() = default;

Batch PrefetchingSource::next(int task) {
  if (!runs_ahead()) {
    ++tally_.made;
    return source_.next(task);
  }
  Lock lock(mutex_);
  std::optional<Batch> batch = take_ready(task);
  const std::uint64_t number = source_.count_one(task);
  lock.unlock();
  work_to_do_.notify_one();
  return batch ? std::move(*batch) : source_.make(task, number);
}

std::optional<Batch> PrefetchingSource::take_ready(int task) {
  const auto found = ready_.find(task);
  if (found == ready_.end()) {
    ++tally_.made;
    return std::nullopt;
  }
  ++tally_.ready;
  std::optional<Batch> batch = std::move(found->second);
  ready_.erase(found);
  if (wanted_.contains(task)) queue_.push_back(task);
  return batch;
}

void PrefetchingSource::expect(std::vector<double> probabilities) {
  if (!runs_ahead()) return;
  if (probabilities.size() != counts().size()) {
    throw std::logic_error("PrefetchingSource: expected one probability per task");
  }
  {
    const Lock lock(mutex_);
    expected_ = std::move(probabilities);
  }
  work_to_do_.notify_one();
}

void PrefetchingSource::restore(std::vector<std::uint64_t> counts) {
  {
    const Lock lock(mutex_);
    source_.restore(std::move(counts));
    for (const auto& [task, batch] : ready_) queue_.push_back(task);
    ready_.clear();
  }
  work_to_do_.notify_one();
}

std::size_t PrefetchingSource::ready() {
  const Lock lock(mutex_);
  return ready_.size();
}

void PrefetchingSource::work(const std::stop_token& stop) {
  Lock lock(mutex_);
  const auto has_work = [&] { return expected_ || !queue_.empty(); };
  while (work_to_do_.wait(lock, stop, has_work) && !stop.stop_requested()) {
    if (expected_) {
      adopt_expectations(lock);
    } else {
      make_one(lock);
    }
  }
}

void PrefetchingSource::adopt_expectations(Lock& lock) {
  const std::vector<double> probabilities = *std::exchange(expected_, std::nullopt);
  lock.unlock();
  const std::vector<int> tasks = likeliest(probabilities, capacity_);
  lock.lock();
  wanted_ = {tasks.begin(), tasks.end()};
  std::erase_if(ready_, [&](const auto& entry) { return !wanted_.contains(entry.first); });
  queue_.assign(tasks.begin(), tasks.end());
  std::erase_if(queue_, [&](int task) { return ready_.contains(task); });
}

void PrefetchingSource::make_one(Lock& lock) {
  const int task = queue_.front();
  queue_.pop_front();
  const std::uint64_t number = counts()[task];
  lock.unlock();
  std::optional<Batch> batch;
  try {
    batch = source_.make(task, number);
  } catch (...) {
    // Ignored: next() makes this batch again and throws to its caller.
  }
  lock.lock();
  // The caller may have made this batch itself in the meantime.
  if (counts()[task] == number) {
    ready_.emplace(task, std::move(batch));
  } else if (wanted_.contains(task)) {
    queue_.push_back(task);
  }
}

}  // namespace gradus
