// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/learner_state.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gradus/core/error.h"

namespace gradus {
namespace {

template <typename Real>
std::vector<std::pair<std::string, std::span<Real>>> arrays(const FlatState<Real>& flat) {
  return {{"", flat.trained},
          {"optimiser.variance.", flat.variances},
          {"optimiser.mean.", flat.means},
          {"optimiser.step.", flat.steps}};
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

template <typename Real>
void check(const Tensor& tensor, const std::string& name, const Slice& part) {
  if (tensor.name != name) {
    throw InputError("saved weights: found \"" + tensor.name + "\", expected \"" + name + "\"");
  }
  const std::vector<std::int64_t> shape = {part.rows, part.columns};
  if (tensor.shape != shape) {
    throw InputError("saved weights: " + name + " is " + shape_text(tensor.shape) + ", expected " +
                     shape_text(shape));
  }
  const auto* values = std::get_if<std::vector<Real>>(&tensor.values);
  if (!values || values->size() != part.size()) {
    throw InputError("saved weights: " + name + " has an unexpected type or size");
  }
}

}  // namespace

template <typename Real>
LearnerState save_state(const std::vector<Slice>& parts, const FlatState<const Real>& from,
                        std::uint64_t updates) {
  LearnerState state;
  state.updates = updates;
  for (const auto& [prefix, values] : arrays(from)) {
    for (const Slice& part : parts) {
      const auto first = values.begin() + part.offset;
      state.tensors.push_back({prefix + part.name,
                               {part.rows, part.columns},
                               std::vector<Real>(first, first + part.size())});
    }
  }
  return state;
}

template <typename Real>
void restore_state(const LearnerState& state, const std::vector<Slice>& parts,
                   const FlatState<Real>& into) {
  const auto all = arrays(into);
  if (state.tensors.size() != all.size() * parts.size()) {
    throw InputError("saved weights: " + std::to_string(state.tensors.size()) +
                     " tensors, expected " + std::to_string(all.size() * parts.size()));
  }
  auto tensor = state.tensors.begin();
  for (const auto& [prefix, values] : all) {
    for (const Slice& part : parts) check<Real>(*tensor++, prefix + part.name, part);
  }
  tensor = state.tensors.begin();
  for (const auto& [prefix, values] : all) {
    for (const Slice& part : parts) {
      std::ranges::copy(std::get<std::vector<Real>>((tensor++)->values),
                        values.begin() + part.offset);
    }
  }
}

template LearnerState save_state(const std::vector<Slice>&, const FlatState<const float>&,
                                 std::uint64_t);
template LearnerState save_state(const std::vector<Slice>&, const FlatState<const double>&,
                                 std::uint64_t);
template void restore_state(const LearnerState&, const std::vector<Slice>&,
                            const FlatState<float>&);
template void restore_state(const LearnerState&, const std::vector<Slice>&,
                            const FlatState<double>&);

}  // namespace gradus
