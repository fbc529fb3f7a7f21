// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/task_limits.h"

#include <algorithm>

#include "gradus/core/error.h"

namespace gradus {
namespace {

// Limits that should sum to 1, such as ten floors of 0.1, may miss it by a rounding error.
constexpr double kRounding = 1e-12;

// Smaller probabilities count as 0: dividing a limit by one might overflow.
constexpr double kNothing = 1e-300;

// A task that is not frozen.
struct Entry {
  int task;
  double weight;
  double floor;
  double ceiling;

  double at(double scale) const { return std::clamp(scale * weight, floor, ceiling); }
};

double sum_at(std::span<const Entry> entries, double scale) {
  double sum = 0;
  for (const Entry& entry : entries) sum += entry.at(scale);
  return sum;
}

// Returns the scale at which the entries sum to `total`. The sum is piecewise linear in the scale
// and never decreases; pieces end where an entry leaves its floor or reaches its ceiling. Finds the
// right piece, then solves for the scale on it.
double find_scale(std::span<const Entry> entries, double total) {
  std::vector<double> ends;
  for (const Entry& entry : entries) {
    ends.push_back(entry.floor / entry.weight);
    ends.push_back(entry.ceiling / entry.weight);
  }
  std::sort(ends.begin(), ends.end());
  const auto short_of_total = [&](double end) { return sum_at(entries, end) < total; };
  auto end = std::partition_point(ends.begin(), ends.end(), short_of_total);
  if (end == ends.end()) return ends.back();
  const double start = end == ends.begin() ? 0 : *(end - 1);

  double clamped = 0;
  double free_weight = 0;
  for (const Entry& entry : entries) {
    if (entry.floor / entry.weight >= *end) {
      clamped += entry.floor;
    } else if (entry.ceiling / entry.weight <= start) {
      clamped += entry.ceiling;
    } else {
      free_weight += entry.weight;
    }
  }
  return free_weight > 0 ? (total - clamped) / free_weight : *end;
}

void fill(std::span<const Entry> entries, double total, std::vector<double>& out) {
  if (entries.empty()) return;
  const double scale = find_scale(entries, total);
  for (const Entry& entry : entries) out[entry.task] = entry.at(scale);
}

}  // namespace

void check_limits(std::span<const std::string> tasks, const TaskLimits& limits) {
  double floors = 0;
  auto ceilings = static_cast<double>(tasks.size() - limits.size());
  bool any_free = ceilings > 0;
  for (const auto& [task, limit] : limits) {
    const auto [floor, ceiling, frozen] = limit;
    const auto of_task = [&tasks, number = task] {
      return " of task " + std::to_string(number) + " (" + tasks[number] + ") is ";
    };
    if (!(ceiling > 0 && ceiling <= 1)) {
      throw InputError("ceiling" + of_task() + to_text(ceiling) +
                       ", expected a number above 0 and at most 1");
    }
    if (!(floor >= 0 && floor <= ceiling)) {
      throw InputError("floor" + of_task() + to_text(floor) +
                       ", expected a number from 0 to its ceiling " + to_text(ceiling));
    }
    if (frozen) continue;
    any_free = true;
    floors += floor;
    ceilings += ceiling;
  }
  if (!any_free) throw InputError("every task would be frozen, expected at least one that is not");
  if (floors > 1 + kRounding) {
    throw InputError("the floors of the tasks that are not frozen would sum to " + to_text(floors) +
                     ", expected at most 1");
  }
  if (ceilings < 1 - kRounding) {
    throw InputError("the ceilings of the tasks that are not frozen would sum to " +
                     to_text(ceilings) + ", expected at least 1");
  }
}

std::vector<double> limited_distribution(std::span<const double> policy,
                                         std::span<const TaskLimit> limits) {
  std::vector<Entry> wanted;
  std::vector<Entry> unwanted;  // probability 0 under the policy
  double ceilings = 0;          // sum over the wanted
  double floors = 0;            // sum over the unwanted
  for (std::size_t i = 0; i < policy.size(); ++i) {
    if (limits[i].frozen) continue;
    const int task = static_cast<int>(i);
    if (policy[i] > kNothing) {
      wanted.push_back({task, policy[i], limits[i].floor, limits[i].ceiling});
      ceilings += limits[i].ceiling;
    } else {
      unwanted.push_back({task, 1, limits[i].floor, limits[i].ceiling});
      floors += limits[i].floor;
    }
  }
  const double to_wanted = std::min(1 - floors, ceilings);
  std::vector<double> result(policy.size(), 0.0);
  fill(wanted, to_wanted, result);
  fill(unwanted, 1 - to_wanted, result);
  return result;
}

}  // namespace gradus
