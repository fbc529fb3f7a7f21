// SPDX-License-Identifier: Apache-2.0
// Trains a network for a few updates on random ragged batches and writes all that training changed
// and measured. The referee in parity_test.py recomputes it.
//
//   parity_trace < case.json > trace.jsonl
//
// The case is an object as cases.py writes it. The first line of the trace holds the starting phi.
// Each further line is one update: its sequences, its noise, and the state after it. Numbers have
// enough digits to be read back exactly; what was not measured is null.

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/gains/gains.h"
#include "gradus/nn/cpu/learner.h"
#include "gradus/nn/cpu/noise.h"
#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

using Json = nlohmann::json;

NetworkSpec network_of(const Json& c) {
  NetworkSpec spec;
  spec.data.input = {c["tokens"], c["bits"], c["reals"]};
  const bool softmax = c["output"] == "softmax";
  spec.data.output = {softmax ? OutputKind::kSoftmax : OutputKind::kSigmoid, c["width"]};
  spec.layers = c["layers"];
  spec.cells = c["cells"];
  return spec;
}

LearnerSettings settings_of(const Json& c) {
  LearnerSettings settings;
  ObjectiveSettings& objective = settings.objective;
  objective.kind = static_cast<ObjectiveKind>(
      find_known("objective", c["objective"].get<std::string>(), objective_names()));
  objective.decay = c["l2_decay"];
  objective.prior =
      static_cast<PriorKind>(find_known("prior", c["prior"].get<std::string>(), prior_names()));
  objective.posterior_width = c["posterior_width"];
  objective.prior_width = c["prior_width"];
  objective.total_sequences = c["sequences"];
  objective.evaluate_at_sample = c["evaluate_at_sample"];
  settings.optimiser = {c["learning_rate"], c["momentum"], c["decay"],
                        c["epsilon"],       c["centred"],  c["clip"]};
  settings.derivative_limit = c["derivative_limit"];
  return settings;
}

/// Everything that can be measured under an objective.
Needs needs_of(ObjectiveKind kind) {
  const bool variational = kind == ObjectiveKind::kVariational;
  return {.loss_after = true,
          .answers_right = true,
          .probe = Probe::kSameTask,
          .probe_after = true,
          .probe_dot_gradient = true,
          .gradient_norm = true,
          .weights_dot_gradient = !variational,
          .weight_norm = !variational,
          .kl = variational,
          .kl_dot_gradient = variational};
}

Json to_json(const std::vector<Sequence>& sequences) {
  Json list = Json::array();
  for (const Sequence& s : sequences) {
    list.push_back({{"tokens", s.tokens},
                    {"bits", s.bits},
                    {"reals", s.reals},
                    {"scored", s.scored},
                    {"targets", s.targets}});
  }
  return list;
}

Json to_json(const Measurements& m) {
  return {{"loss_before", m.loss_before},
          {"loss_after", m.loss_after},
          {"answers_right", m.answers_right},
          {"probe_before", m.probe_before},
          {"probe_after", m.probe_after},
          {"probe_dot_gradient", m.probe_dot_gradient},
          {"gradient_norm", m.gradient_norm},
          {"weights_dot_gradient", m.weights_dot_gradient},
          {"weight_norm_before", m.weight_norm_before},
          {"weight_norm_after", m.weight_norm_after},
          {"kl_before", m.kl_before},
          {"kl_after", m.kl_after},
          {"kl_dot_gradient", m.kl_dot_gradient}};
}

Json to_json(const Evaluation& e) {
  return {{"total_loss", e.total_loss},
          {"outputs", e.outputs},
          {"answers", e.answers},
          {"wrong_answers", e.wrong_answers}};
}

std::vector<std::unique_ptr<Gain>> make_gains(Sign sign) {
  std::vector<std::unique_ptr<Gain>> gains;
  const GainSettings settings{.sign = sign, .window = 8, .floors = {{"task", 0.5}}};
  for (const GainEntry& entry : gain_list()) gains.push_back(make_gain(entry.name, settings));
  return gains;
}

Json progress(const std::vector<std::unique_ptr<Gain>>& gains, const Measurements& measured) {
  Json values;
  for (const auto& gain : gains) {
    values[std::string(gain->name())] = gain->progress("task", measured);
  }
  return values;
}

template <typename Real>
Json array(std::span<const Real> values) {
  return std::vector<double>(values.begin(), values.end());
}

template <typename Real>
void write_trace(const Json& c) {
  const NetworkSpec spec = network_of(c);
  const LearnerSettings settings = settings_of(c);
  const std::uint64_t seed = c["seed"];
  CpuLearner<Real> learner(spec, settings, seed);
  std::cout << Json{{"phi", array<Real>(learner.trained())}} << '\n';

  const auto derived = make_gains(Sign::kDerived);
  const auto printed = make_gains(Sign::kPrinted);
  std::vector<Real> noise(learner.layout().parameters());
  for (int update = 0; update < c["updates"]; ++update) {
    // Five to twenty sequences: one or two parts of the reference pass.
    const auto draw = [&](int k) {
      return random_sequences(spec.data, 5 + 7 * k % 16, 12, 1000 * seed + k);
    };
    const auto sequences = draw(2 * update);
    const auto probe_sequences = draw(2 * update + 1);
    const Batch probe = make_batch(probe_sequences, spec.data);
    const Batch batch = make_batch(sequences, spec.data);
    Measurements measured = learner.train(batch, &probe, needs_of(settings.objective.kind));
    measured.outputs = static_cast<double>(batch.outputs()) / batch.sequences;
    fill_noise(seed, update, 0, noise.size(), std::span<Real>(noise));
    const Json line = {{"batch", to_json(sequences)},
                       {"probe", to_json(probe_sequences)},
                       {"noise", array<Real>(noise)},
                       {"measured", to_json(measured)},
                       {"gains", progress(derived, measured)},
                       {"printed", progress(printed, measured)},
                       {"gradient", array<Real>(learner.gradient())},
                       {"phi", array<Real>(learner.trained())},
                       {"v", array<Real>(learner.optimiser().variances())},
                       {"m", array<Real>(learner.optimiser().means())},
                       {"d", array<Real>(learner.optimiser().steps())},
                       {"evaluation", to_json(learner.evaluate(probe))}};
    std::cout << line << '\n';
  }
}

}  // namespace
}  // namespace gradus

int main() {
  try {
    const auto c = nlohmann::json::parse(std::cin);
    if (c["real"] == "float") {
      gradus::write_trace<float>(c);
    } else {
      gradus::write_trace<double>(c);
    }
    std::cout.flush();
    return std::cout ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parity_trace: %s\n", error.what());
    return 1;
  }
}
