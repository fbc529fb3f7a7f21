// SPDX-License-Identifier: Apache-2.0
// Policies that ignore rewards, used as baselines. `uniform` gives all tasks the same probability;
// `fixed` uses a given distribution, for example one that always draws the target task.

#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

class Fixed : public Policy {
 public:
  explicit Fixed(std::vector<double> probabilities) : probabilities_(std::move(probabilities)) {}

  std::string_view name() const override { return "fixed"; }
  int size() const override { return static_cast<int>(probabilities_.size()); }
  double probability(int task) const override { return probabilities_[task]; }
  std::vector<double> probabilities() const override { return probabilities_; }
  int draw(double u) const override { return draw_from(probabilities_, u); }
  void update(int, double, double) override {}
  void update_all(std::span<const double>) override {}

  void add_task() override { probabilities_ = with_mean_weight(probabilities_); }
  void remove_task(int task) override { probabilities_ = without_weight(probabilities_, task); }

  json settings() const override { return {{"probabilities", probabilities_}}; }
  json state() const override { return json::object(); }
  void restore(const json&) override {}

 private:
  std::vector<double> probabilities_;
};

// Stays uniform to the last bit if tasks come and go.
class Uniform final : public Fixed {
 public:
  explicit Uniform(int tasks) : Fixed(std::vector<double>(tasks, 1.0 / tasks)) {}

  std::string_view name() const override { return "uniform"; }
  void add_task() override { *this = Uniform(size() + 1); }
  void remove_task(int) override { *this = Uniform(size() - 1); }
};

}  // namespace

std::unique_ptr<Policy> make_uniform(int tasks) {
  return std::make_unique<Uniform>(tasks);
}

std::unique_ptr<Policy> make_fixed(std::vector<double> probabilities) {
  checked(PolicySettings{.probabilities = probabilities});
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  if (!(std::abs(sum - 1) <= 1e-9)) {
    throw InputError("policy fixed: the probabilities sum to " + to_text(sum) + ", expected 1");
  }
  return std::make_unique<Fixed>(std::move(probabilities));
}

}  // namespace gradus
