// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/reference_pass.h"

#include <algorithm>

namespace gradus {
namespace {

// Sequences per part. It determines the order of additions, so it must not depend on the number of
// threads.
constexpr int kPartSize = 16;

}  // namespace

ReferencePass::ReferencePass(const ParameterLayout& layout, ThreadTeam& team,
                             double largest_derivative)
    : layout_(layout), team_(team), largest_derivative_(largest_derivative) {}

Evaluation ReferencePass::evaluate(const Batch& batch) {
  return total(run_parts(batch, false));
}

Evaluation ReferencePass::differentiate(const Batch& batch, std::span<double> gradient) {
  const int parts = run_parts(batch, true);
  std::ranges::copy(parts_[0]->gradient, gradient.begin());
  for (int k = 1; k < parts; ++k) {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += parts_[k]->gradient[i];
  }
  return total(parts);
}

// Returns the number of parts.
int ReferencePass::run_parts(const Batch& batch, bool with_gradient) {
  const int parts = (batch.sequences + kPartSize - 1) / kPartSize;
  while (static_cast<int>(parts_.size()) < parts) {
    parts_.push_back(std::make_unique<Part>(layout_, largest_derivative_));
  }
  team_.run(parts, [&](int k) {
    Part& part = *parts_[k];
    const int first = k * kPartSize;
    part.batch = slice(batch, first, std::min(kPartSize, batch.sequences - first));
    part.evaluation = part.pass.forward(part.batch, weights_);
    if (!with_gradient) return;
    part.gradient.resize(layout_.parameters());
    part.pass.backward(weights_, 1.0 / batch.sequences, part.gradient);
  });
  return parts;
}

Evaluation ReferencePass::total(int parts) const {
  Evaluation sum;
  for (int k = 0; k < parts; ++k) sum += parts_[k]->evaluation;
  return sum;
}

}  // namespace gradus
