// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/layout.h"

#include <cmath>

#include "gradus/core/random.h"
#include "gradus/core/setting.h"

namespace gradus {

ParameterLayout::ParameterLayout(const NetworkSpec& spec) : spec_(spec) {
  checked(NetworkSettings{spec.layers, spec.cells});
  const int h = spec.cells;
  for (int layer = 0; layer < spec.layers; ++layer) {
    const std::string prefix = "lstm" + std::to_string(layer) + ".";
    add(prefix + "input", layer == 0 ? spec.data.input.width() : h, 4 * h);
    add(prefix + "recurrent", h, 4 * h);
    add(prefix + "bias", 1, 4 * h);
  }
  add("output.weight", h, spec.data.output.width);
  add("output.bias", 1, spec.data.output.width);
}

void ParameterLayout::add(std::string name, int rows, int columns) {
  slices_.push_back({std::move(name), parameters_, rows, columns});
  parameters_ += slices_.back().size();
}

std::vector<double> initial_weights(const ParameterLayout& layout, const InitialWeights& settings,
                                    std::uint64_t seed) {
  const int h = layout.spec().cells;
  const double range = settings.range > 0 ? settings.range : 1 / std::sqrt(h);
  std::vector<double> weights(layout.parameters(), 0.0);
  Random random(seed, Purpose::kInitialWeights, 0);
  for (const Slice& slice : layout.slices()) {
    if (slice.name.ends_with(".bias")) continue;
    for (std::size_t i = 0; i < slice.size(); ++i) {
      weights[slice.offset + i] = range * (2 * random.uniform() - 1);
    }
  }
  for (int layer = 0; layer < layout.spec().layers; ++layer) {
    const std::size_t forget = layout.bias(layer).offset + h;
    for (int j = 0; j < h; ++j) weights[forget + j] = settings.forget_bias;
  }
  return weights;
}

}  // namespace gradus
