#include "gradus/policies/change_tasks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;
using Change = std::function<std::vector<double>(std::vector<double>)>;

void normalise(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
}

std::vector<double> grown(std::vector<double> weights) {
  weights.push_back(std::accumulate(weights.begin(), weights.end(), 0.0) /
                    static_cast<double>(weights.size()));
  normalise(weights);
  return weights;
}

std::vector<double> shrunk(std::vector<double> weights, int task) {
  weights.erase(weights.begin() + task);
  const double left = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(left > 0)) {
    throw InputError("task " + std::to_string(task) + " has all the probability of the policy, " +
                     "expected another task with some before it is removed");
  }
  normalise(weights);
  return weights;
}

// exp3 keeps logarithms of weights. The new task gets the logarithm of the mean weight. The others
// are left untouched, so that they do not suffer rounding errors.
std::vector<double> grown_logarithms(std::vector<double> logarithms) {
  std::vector<double> weights(logarithms.size());
  softmax(logarithms, weights);
  // log of the sum of exponentials, from the largest one and its softmax.
  const auto largest = std::max_element(logarithms.begin(), logarithms.end());
  const double log_sum = *largest - std::log(weights[largest - logarithms.begin()]);
  logarithms.push_back(log_sum - std::log(static_cast<double>(logarithms.size())));
  return logarithms;
}

// exp3s may save its shares under an affine map: a share is then map[0] * shares[i] + map[1] (see
// lazy_shares.h).
void apply_map(json& state) {
  const auto map = state.at("map").get<std::vector<double>>();
  for (json& share : state["shares"]) share = map[0] * share.get<double>() + map[1];
  state.erase("map");
}

std::unique_ptr<Policy> changed(const Policy& policy, const Change& change,
                                const Change& change_logarithms) {
  json settings = policy.settings();
  json state = policy.state();
  int size = 0;
  const auto apply = [&size](json& list, const Change& how) {
    const std::vector<double> weights = how(list.get<std::vector<double>>());
    size = static_cast<int>(weights.size());
    list = weights;
  };
  if (state.contains("map")) apply_map(state);
  if (state.contains("shares")) {
    apply(state["shares"], change);
  } else if (state.contains("log_weights")) {
    apply(state["log_weights"], change_logarithms);
  } else if (settings.contains("probabilities")) {
    apply(settings["probabilities"], change);
  } else {
    throw std::logic_error("policy " + std::string(policy.name()) + " has no weights to change");
  }
  auto result = make_policy(std::string(policy.name()), size, read_policy_settings(settings));
  result->restore(state);
  return result;
}

}  // namespace

std::unique_ptr<Policy> with_one_more_task(const Policy& policy) {
  return changed(policy, grown, grown_logarithms);
}

std::unique_ptr<Policy> without_task(const Policy& policy, int task) {
  if (policy.size() == 1) throw InputError("the only task cannot be removed");
  const auto erase = [task](std::vector<double> logarithms) {
    logarithms.erase(logarithms.begin() + task);
    return logarithms;
  };
  return changed(
      policy, [task](std::vector<double> weights) { return shrunk(std::move(weights), task); },
      erase);
}

void add_task(Syllabus& syllabus, const std::string& name) {
  syllabus.add_task(name, with_one_more_task(syllabus.policy()));
}

void remove_task(Syllabus& syllabus, int task) {
  if (task < 0 || task >= syllabus.policy().size()) {
    throw InputError("task " + std::to_string(task) + " is not one of the " +
                     std::to_string(syllabus.policy().size()) + " tasks");
  }
  syllabus.remove_task(task, without_task(syllabus.policy(), task));
}

}  // namespace gradus
