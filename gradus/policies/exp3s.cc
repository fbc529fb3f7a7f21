// Exp3.S (Auer et al. 2002; paper, section 2.2). Round t = 1, 2, ..., weights w_1 = 0:
//
//   pi_t(i)   = (1 - eps) softmax(w_t)_i + eps / N
//   u_i       = w_{t,i} + eta (r_t [i = a_t] + beta) / pi_t(i)
//   w_{t+1,i} = log[(1 - alpha) exp u_i + alpha / (N - 1) sum_{j != i} exp u_j],  alpha = 1/(t+1)
//
// The importance weight of the rewarded task is that of its ticket; beta's share of the other tasks
// divides by the policy at settlement. Weights are kept as logarithms with their largest exponent
// taken out, so that nothing overflows whatever eta and the number of rounds.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

class Exp3S final : public Policy {
 public:
  Exp3S(int tasks, double eta, double beta, double epsilon)
      : eta_(eta), beta_(beta), epsilon_(epsilon), log_weights_(tasks, 0.0), policy_(tasks) {
    refresh();
  }

  std::string_view name() const override { return "exp3s"; }
  int size() const override { return static_cast<int>(policy_.size()); }
  double probability(int task) const override { return policy_[task]; }
  std::vector<double> probabilities() const override { return policy_; }
  int draw(double u) const override { return draw_from(policy_, u); }

  void update(int task, double probability, double reward) override {
    for (int i = 0; beta_ != 0 && i < size(); ++i) {
      if (i != task) log_weights_[i] += eta_ * beta_ / policy_[i];
    }
    log_weights_[task] += eta_ * (reward + beta_) / probability;
    ++round_;
    share(1.0 / static_cast<double>(round_));
    refresh();
  }

  json settings() const override { return {{"eta", eta_}, {"beta", beta_}, {"epsilon", epsilon_}}; }
  json state() const override { return {{"round", round_}, {"log_weights", log_weights_}}; }
  void restore(const json& state) override {
    std::vector<double> weights = read_numbers(state, "log_weights", log_weights_.size());
    const std::uint64_t round = read_count(state, "round");
    if (round < 1) throw InputError("saved policy is in round 0, expected 1 or more");
    log_weights_ = std::move(weights);
    round_ = round;
    refresh();
  }

 private:
  // Every task gives the share alpha of its weight to the others.
  void share(double alpha) {
    if (size() == 1) return;
    const double largest = *std::max_element(log_weights_.begin(), log_weights_.end());
    double sum = 0;
    for (double& weight : log_weights_) {
      weight = std::exp(weight - largest);
      sum += weight;
    }
    const double given = alpha / (size() - 1);
    for (double& weight : log_weights_) {
      weight = std::log((1 - alpha) * weight + given * (sum - weight));
    }
  }

  void refresh() {
    softmax(log_weights_, policy_);
    for (double& p : policy_) p = (1 - epsilon_) * p + epsilon_ / size();
  }

  double eta_;
  double beta_;
  double epsilon_;
  std::uint64_t round_ = 1;
  std::vector<double> log_weights_;
  std::vector<double> policy_;
};

}  // namespace

std::unique_ptr<Policy> make_exp3s(int tasks, double eta, double beta, double epsilon) {
  check_setting("eta", eta, eta >= 0, "a finite number, 0 or more");
  check_setting("beta", beta, true, "a finite number");
  check_setting("epsilon", epsilon, epsilon >= 0 && epsilon <= 1, "a number from 0 to 1");
  return std::make_unique<Exp3S>(tasks, eta, beta, epsilon);
}

}  // namespace gradus
