// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/policy.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "gradus/core/error.h"

namespace gradus {
namespace {

void check_number(const char* what, double value, bool valid, const char* expected) {
  if (valid) return;
  throw InputError(std::string(what) + " is " + to_text(value) + ", expected " + expected);
}

}  // namespace

void check_task(const Policy& policy, int task) {
  if (task >= 0 && task < policy.size()) return;
  throw InputError("task is " + std::to_string(task) + ", expected 0.." +
                   std::to_string(policy.size() - 1));
}

void check_quantile(double u) {
  check_number("u", u, u >= 0 && u < 1, "a number with 0 <= u < 1");
}

void check_update(const Policy& policy, int task, double probability, double reward) {
  check_task(policy, task);
  check_number("probability", probability, probability > 0 && probability <= 1,
               "a number above 0 and at most 1");
  check_number("reward", reward, reward >= -1 && reward <= 1, "a number from -1 to 1");
}

std::vector<double> Policy::below(std::span<const int> tasks) const {
  const std::vector<double> p = probabilities();
  std::vector<double> sums;
  double sum = 0;
  int next = 0;
  for (const int task : tasks) {
    for (; next < task; ++next) sum += p[next];
    sums.push_back(sum);
  }
  return sums;
}

void Policy::update_signals(int task, double probability, std::span<const double> rewards) {
  update(task, probability, rewards.front());
}

void Policy::update_all(std::span<const double>) {
  throw InputError("policy " + std::string(name()) +
                   " cannot learn from the rewards of all tasks at once, expected the reward of "
                   "one task");
}

int draw_from(std::span<const double> probabilities, double u) {
  int last_possible = -1;
  double below = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] <= 0) continue;
    below += probabilities[i];
    last_possible = static_cast<int>(i);
    if (u < below) return last_possible;
  }
  // Rounding may leave the sum slightly below 1, and u above it.
  if (last_possible < 0) throw std::logic_error("draw_from: no positive probability");
  return last_possible;
}

double entropy(std::span<const double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) {
    if (p > 0) sum -= p * std::log(p);
  }
  return sum;
}

double distance_from_uniform(std::span<const double> probabilities) {
  const double uniform = 1 / static_cast<double>(probabilities.size());
  double sum = 0;
  for (const double p : probabilities) sum += std::abs(p - uniform);
  return sum / 2;
}

}  // namespace gradus
