// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/network/case.h"

#include <bit>
#include <vector>

#include "gradus/core/random.h"

namespace gradus::benchmarks {

Case read_case(const nlohmann::json& json) {
  Case c;
  c.network.data.input = {json["tokens"], json["bits"], json["reals"]};
  const bool softmax = json["output"] == "softmax";
  c.network.data.output = {softmax ? OutputKind::kSoftmax : OutputKind::kSigmoid, json["width"]};
  c.network.layers = json["layers"];
  c.network.cells = json["cells"];
  c.sequences = json["sequences"];
  c.steps = json["steps"];
  c.inputs = json["inputs"];
  c.scored = json["scored"];
  c.prediction_gain = json["prediction_gain"];
  c.objective = json["objective"];
  c.threads = json["threads"];
  return c;
}

Batch make_case_batch(const Case& c) {
  const DataSpec& data = c.network.data;
  Random random(1, Purpose::kSample, 0);
  std::vector<Sequence> sequences(c.sequences);
  for (Sequence& sequence : sequences) {
    for (int t = 0; t < c.steps; ++t) {
      const bool input = t < c.inputs;
      if (data.input.tokens > 0) {
        const auto token = static_cast<std::int32_t>(random.below(data.input.tokens));
        sequence.tokens.push_back(input ? token : kNoToken);
      }
      if (data.input.bits > 0) {
        sequence.bits.push_back(input ? random.below(1u << data.input.bits) : 0);
      }
      for (int r = 0; r < data.input.reals; ++r) sequence.reals.push_back(0.0f);
      sequence.scored.push_back(t >= c.steps - c.scored ? 1 : 0);
      const bool softmax = data.output.kind == OutputKind::kSoftmax;
      const int values = softmax ? data.output.width : 1 << data.output.width;
      sequence.targets.push_back(random.below(static_cast<std::uint32_t>(values)));
    }
  }
  return make_batch(sequences, data);
}

double useful_operations(const Case& c, const Batch& batch) {
  const double h = c.network.cells;
  const auto rows = static_cast<double>(batch.input_steps());
  double picked = 0;  // rows of the input matrix that the inputs select
  for (const std::int32_t token : batch.tokens) picked += token == kNoToken ? 0 : 1;
  for (const std::uint32_t bits : batch.bits) picked += std::popcount(bits);
  for (const float real : batch.reals) picked += real == 0 ? 0 : 1;
  const double products =
      8 * h * h * (c.network.layers * (rows - batch.sequences) + (c.network.layers - 1) * rows) +
      2 * h * c.network.data.output.width * batch.outputs();
  const double input = 8 * h * picked;
  const double forward = products + input;
  const double backward = 2 * products + input;
  return forward + backward + (c.prediction_gain ? forward : 0);
}

}  // namespace gradus::benchmarks
