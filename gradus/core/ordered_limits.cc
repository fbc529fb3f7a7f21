// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/ordered_limits.h"

#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace gradus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Every kind costs a search, so many of them cost more than they save.
constexpr std::size_t kMostKinds = 8;

// Tolerance for the sum of the probabilities, which must be 1.
constexpr double kExact = 1e-13;

// Rounds to 40 bits: ratios of limits that are proportional to a prior differ by rounding errors.
double rounded(double ratio) {
  int exponent = 0;
  const double fraction = std::frexp(ratio, &exponent);
  return std::ldexp(std::round(std::ldexp(fraction, 40)), exponent - 40);
}

}  // namespace

OrderedLimits::OrderedLimits(std::vector<Kind> kinds, std::vector<int> kind_of)
    : kinds_(std::move(kinds)),
      kind_of_(std::move(kind_of)),
      sums_(static_cast<int>(kind_of_.size()), static_cast<int>(kinds_.size())) {}

std::optional<OrderedLimits> OrderedLimits::make(const Policy& policy, const TaskLimits& limits) {
  if (!policy.affine_form()) return std::nullopt;
  std::map<std::pair<double, double>, int> numbers;
  std::vector<Kind> kinds;
  std::vector<int> kind_of(policy.size(), -1);
  auto limit = limits.begin();
  for (int task = 0; task < policy.size(); ++task) {
    TaskLimit own;
    if (limit != limits.end() && limit->first == task) own = (limit++)->second;
    if (own.frozen) continue;
    const double base = policy.affine_base(task);
    const double floor = rounded(own.floor / base);
    const double ceiling = own.ceiling < 1 ? rounded(own.ceiling / base) : kInfinity;
    const auto [found, is_new] =
        numbers.try_emplace({floor, ceiling}, static_cast<int>(kinds.size()));
    if (is_new) kinds.push_back({.floor = floor, .ceiling = ceiling});
    if (kinds.size() > kMostKinds) return std::nullopt;
    kind_of[task] = found->second;
  }
  return OrderedLimits(std::move(kinds), std::move(kind_of));
}

void OrderedLimits::insert(const Policy& policy, int task) {
  sums_.insert(kind_of_[task], task, policy.affine_value(task), policy.affine_base(task));
}

bool OrderedLimits::refresh(const Policy& policy, std::span<const int> changed) {
  const AffineForm form = policy.affine_form().value();
  if (filled_ && form.version == form_.version) {
    for (const int task : changed) {
      if (kind_of_[task] < 0) continue;
      sums_.erase(kind_of_[task], task);
      insert(policy, task);
    }
  } else {
    sums_ = OrderedSums(policy.size(), static_cast<int>(kinds_.size()));
    for (int task = 0; task < policy.size(); ++task) {
      if (kind_of_[task] >= 0) insert(policy, task);
    }
    filled_ = true;
  }
  form_ = form;
  return find_factor();
}

// Finds the tasks at their floor and at their ceiling if p_i is multiplied by `factor`.
void OrderedLimits::divide(double factor) {
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    Kind& kind = kinds_[k];
    const int group = static_cast<int>(k);
    const double low_end = (kind.floor / factor - form_.offset) / form_.scale;
    const double high_start = (kind.ceiling / factor - form_.offset) / form_.scale;
    kind.low = sums_.between(group, -kInfinity, low_end);
    kind.free = sums_.between(group, low_end, high_start);
    kind.high = kind.ceiling < kInfinity ? sums_.between(group, high_start, kInfinity)
                                         : OrderedSums::Sums{};
  }
}

// The sum of the probabilities is piecewise linear in the factor and never decreases. Solves on the
// piece of a factor, and bisects if the solution is out of bounds. Always starts at 1, so that the
// result does not depend on earlier rounds.
bool OrderedLimits::find_factor() {
  double low = 0;
  double high = kInfinity;
  factor_ = 1;
  for (int i = 0; i < 200; ++i) {
    divide(factor_);
    double held = 0;
    double free = 0;
    for (const Kind& kind : kinds_) {
      held += kind.floor * kind.low.bases;
      if (kind.ceiling < kInfinity) held += kind.ceiling * kind.high.bases;
      free += form_.scale * kind.free.values + form_.offset * kind.free.bases;
    }
    const double excess = held + factor_ * free - 1;
    if (std::abs(excess) <= kExact) return true;
    (excess < 0 ? low : high) = factor_;
    const double solution = free > 0 ? (1 - held) / free : kInfinity;
    if (solution > low && solution < high) {
      factor_ = solution;
    } else {
      factor_ = high < kInfinity ? (low + high) / 2 : 2 * low;
    }
  }
  return false;
}

int OrderedLimits::draw(double u) const {
  int last = -1;
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const Kind& kind = kinds_[k];
    const int group = static_cast<int>(k);
    const auto weight = [this](const OrderedSums::Sums& sums) {
      return form_.scale * sums.values + form_.offset * sums.bases;
    };
    const double at_floor = kind.floor * kind.low.bases;
    if (u < at_floor) return sums_.find(group, u / kind.floor, 0, 1);
    u -= at_floor;
    const double in_between = factor_ * weight(kind.free);
    if (u < in_between) {
      return sums_.find(group, weight(kind.low) + u / factor_, form_.scale, form_.offset);
    }
    u -= in_between;
    const double bases = kind.low.bases + kind.free.bases;
    const double at_ceiling = kind.high.bases > 0 ? kind.ceiling * kind.high.bases : 0;
    if (u < at_ceiling) return sums_.find(group, bases + u / kind.ceiling, 0, 1);
    u -= at_ceiling;
    // Rounding may leave u slightly above the sum of all.
    if (at_floor + in_between + at_ceiling > 0) last = sums_.find(group, kInfinity, 0, 1);
  }
  return last;
}

}  // namespace gradus
