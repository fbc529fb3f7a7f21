// Policies that ignore rewards, used as baselines. `uniform` gives all tasks the same probability;
// `fixed` uses a given distribution, for example one that always draws the target task.

#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

using nlohmann::json;

class Fixed final : public Policy {
 public:
  Fixed(std::string name, std::vector<double> probabilities)
      : name_(std::move(name)), probabilities_(std::move(probabilities)) {}

  std::string_view name() const override { return name_; }
  int size() const override { return static_cast<int>(probabilities_.size()); }
  double probability(int task) const override { return probabilities_[task]; }
  std::vector<double> probabilities() const override { return probabilities_; }
  int draw(double u) const override { return draw_from(probabilities_, u); }
  void update(int, double, double) override {}

  json settings() const override { return {{"probabilities", probabilities_}}; }
  json state() const override { return json::object(); }
  void restore(const json&) override {}

 private:
  std::string name_;
  std::vector<double> probabilities_;
};

}  // namespace

std::unique_ptr<Policy> make_uniform(int tasks) {
  return std::make_unique<Fixed>("uniform", std::vector<double>(tasks, 1.0 / tasks));
}

std::unique_ptr<Policy> make_fixed(std::vector<double> probabilities) {
  checked(PolicySettings{.probabilities = probabilities});
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  if (!(std::abs(sum - 1) <= 1e-9)) {
    throw InputError("policy fixed: the probabilities sum to " + to_text(sum) + ", expected 1");
  }
  return std::make_unique<Fixed>("fixed", std::move(probabilities));
}

}  // namespace gradus
