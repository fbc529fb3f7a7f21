// SPDX-License-Identifier: Apache-2.0
// Corral (Agarwal et al. 2017, arXiv 1612.06246): a master that learns which of M base policies to
// follow, by mirror descent with the log barrier. Base j has the distribution pi_j. A round:
//
//   pi(i) = sum_j q_j pi_j(i),    q_j = (1 - 1/T) p_j + 1 / (T M)
//   l_j   = (1 - r) / 2 pi_j(a) / pi(a)                         estimated loss of base j
//   p_j   = 1 / (1 / p_j + eta_j (l_j - x)),    x such that they sum to 1
//   q_j < low_j:   low_j = q_j / 2,  eta_j = eta_j exp(1 / ln T)
//
// starting from p_j = 1 / M, low_j = 1 / (2 M) and eta_j = sqrt(M ln T / T). A base that is rarely
// followed learns little, so its rate is raised each time that q_j falls below half of what it was.
//
// Two things differ from that paper. Its master draws a base and divides the loss of that base by
// q_j; here the distributions of all bases are known, so each base's loss is estimated from every
// draw, which is unbiased too and varies less. In the same way every base learns from every draw,
// with the probability pi(a) for its importance weight. A late reward is divided by the probability
// of its draw and multiplied by the base's probability now.
//
// T is not known in advance: it is 1024 at first and doubles when it is reached. Rates and lows
// then start again, and p moves half-way to uniform.
//
// The bases use the prior, and give a new task its probability. A round takes the time of all bases
// and O(M N).

#include "gradus/policies/corral.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

constexpr std::uint64_t kFirstHorizon = 1024;

// The sum of 1 / (1 / p_j + eta_j (l_j - x)), which increases with x; infinite from its pole on.
double sum_at(double x, std::span<const double> p, std::span<const double> rates,
              std::span<const double> losses) {
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    const double inverse = 1 / p[j] + rates[j] * (losses[j] - x);
    if (!(inverse > 0)) return std::numeric_limits<double>::infinity();
    sum += 1 / inverse;
  }
  return sum;
}

// One step of mirror descent. The root is between the smallest and the largest loss.
void log_barrier_step(std::span<double> p, std::span<const double> rates,
                      std::span<const double> losses) {
  auto [low, high] = std::ranges::minmax(losses);
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (sum_at(middle, p, rates, losses) < 1 ? low : high) = middle;
  }
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    p[j] = 1 / (1 / p[j] + rates[j] * (losses[j] - low));
    sum += p[j];
  }
  for (double& each : p) each /= sum;
}

class Corral final : public MasterPolicy {
 public:
  explicit Corral(std::vector<std::unique_ptr<Policy>> bases)
      : MasterPolicy(bases.front()->size()),
        bases_(std::move(bases)),
        p_(bases_.size(), 1.0 / static_cast<double>(bases_.size())) {
    start_epoch();
    refresh();
  }

  std::string_view name() const override { return "corral"; }
  int bases() const override { return static_cast<int>(bases_.size()); }
  double base_probability(int base) const override {
    const double mixed = 1 / static_cast<double>(horizon());
    return (1 - mixed) * p_[base] + mixed / bases();
  }

  void update(int task, double probability, double reward) override {
    update_signals(task, probability, std::vector<double>(bases_.size(), reward));
  }
  void update_signals(int task, double probability, std::span<const double> rewards) override {
    std::vector<double> losses;
    for (const auto& base : bases_) {
      losses.push_back(loss_of(rewards[0]) * base->probability(task) / probability);
    }
    for (int j = 0; j < bases(); ++j) bases_[j]->update(task, probability, rewards[j]);
    log_barrier_step(p_, rates_, losses);
    raise_rates();
    const bool last_of_epoch = round_ == horizon();
    ++round_;
    if (last_of_epoch) start_next_epoch();
    refresh();
  }

  void add_task() override {
    for (const auto& base : bases_) base->add_task();
    prior_.add_task();
    refresh();
  }
  void remove_task(int task) override {
    for (const auto& base : bases_) base->remove_task(task);
    prior_.remove_task(task);
    refresh();
  }

  json settings() const override;
  json state() const override;
  void restore(const json& state) override;

 private:
  // The epoch's last round: 1024, 2048, ...
  std::uint64_t horizon() const { return std::max(kFirstHorizon, std::bit_ceil(round_)); }

  void start_epoch() {
    const auto m = static_cast<double>(bases_.size());
    const auto t = static_cast<double>(horizon());
    rates_.assign(bases_.size(), std::sqrt(m * std::log(t) / t));
    lows_.assign(bases_.size(), 1 / (2 * m));
  }
  void start_next_epoch() {
    for (double& each : p_) each = (each + 1 / static_cast<double>(bases_.size())) / 2;
    start_epoch();
  }

  void raise_rates() {
    const double factor = std::exp(1 / std::log(static_cast<double>(horizon())));
    for (int j = 0; j < bases(); ++j) {
      if (base_probability(j) >= lows_[j]) continue;
      lows_[j] = base_probability(j) / 2;
      rates_[j] *= factor;
    }
  }

  void refresh() {
    std::vector<double> mixture(bases_.front()->size());
    for (int j = 0; j < bases(); ++j) {
      const std::vector<double> policy = bases_[j]->probabilities();
      for (std::size_t i = 0; i < mixture.size(); ++i) {
        mixture[i] += base_probability(j) * policy[i];
      }
    }
    set_policy(mixture, 0);
  }

  std::uint64_t round_ = 1;
  std::vector<std::unique_ptr<Policy>> bases_;
  std::vector<double> p_;
  std::vector<double> rates_;
  std::vector<double> lows_;
};

json Corral::settings() const {
  json settings = json::object();
  std::string names;
  for (const auto& base : bases_) {
    names += (names.empty() ? "" : ",") + std::string(base->name());
    settings.update(base->settings());
  }
  settings["bases"] = names;
  return settings;
}

json Corral::state() const {
  json states = json::array();
  for (const auto& base : bases_) states.push_back(base->state());
  return {{"round", round_}, {"shares", p_}, {"rates", rates_}, {"lows", lows_}, {"bases", states}};
}

void Corral::restore(const json& state) {
  const std::uint64_t round = read_round(state);
  std::vector<double> p = read_numbers(state, "shares", p_.size());
  std::vector<double> rates = read_numbers(state, "rates", p_.size());
  std::vector<double> lows = read_numbers(state, "lows", p_.size());
  check_shares(p);
  for (const std::vector<double>& numbers : {rates, lows}) {
    for (const double number : numbers) {
      if (number > 0) continue;
      throw InputError("saved policy has a rate or a low of " + to_text(number) +
                       ", expected above 0");
    }
  }
  const json& states = read_field(state, "bases");
  if (!states.is_array() || states.size() != bases_.size()) {
    throw InputError("saved policy has other bases, expected a list of " +
                     std::to_string(bases_.size()) + " states");
  }
  const json before = this->state();
  try {
    for (int j = 0; j < bases(); ++j) bases_[j]->restore(states[j]);
  } catch (...) {
    for (int j = 0; j < bases(); ++j) bases_[j]->restore(before["bases"][j]);
    throw;
  }
  round_ = round;
  p_ = std::move(p);
  rates_ = std::move(rates);
  lows_ = std::move(lows);
  refresh();
}

}  // namespace

void check_base(std::string_view name) {
  if (name != "fixed" && name != "corral") return;
  throw InputError("policy corral cannot have the base " + std::string(name));
}

std::unique_ptr<MasterPolicy> make_corral(std::vector<std::unique_ptr<Policy>> bases) {
  if (bases.empty()) throw InputError("policy corral has no bases, expected at least one");
  for (const auto& base : bases) {
    check_base(base->name());
    if (base->size() != bases.front()->size()) {
      throw InputError("policy corral has bases over " + std::to_string(bases.front()->size()) +
                       " and " + std::to_string(base->size()) + " tasks, expected the same number");
    }
  }
  return std::make_unique<Corral>(std::move(bases));
}

}  // namespace gradus
