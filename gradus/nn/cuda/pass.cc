// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/pass.h"

#include <algorithm>

#include "gradus/nn/cuda/time_loop.h"

namespace gradus::cuda {
namespace {

// Approximate steps per segment: enough that launching a segment costs little, few enough that the
// layer above starts soon.
constexpr int kSegment = 32;

// Clusters for a batch in groups of `group` sequences.
int clusters(int sequences, int group) {
  return (sequences + group - 1) / group;
}

}  // namespace

template <typename Operand>
Pass<Operand>::Pass(const ParameterLayout& layout, const Weights<Operand>& weights,
                    std::shared_ptr<const GpuPlace> place, cudaStream_t stream)
    : layout_(layout),
      weights_(weights),
      place_(std::move(place)),
      stream_(stream),
      products_(stream),
      cells_(layout.spec().cells),
      clusters_at_once_(weights.for_time_loops() ? clusters_at_once(cells_) : 0),
      leading_(padded(cells_ + 1)),
      output_leading_(weights.output().leading),
      layers_(layout.spec().layers),
      arrived_(make_zeros<unsigned>(1, stream)) {
  if (std::is_same_v<Operand, __half> && has_few_outputs(cells_, output_leading_)) {
    few_outputs_gradient_ = std::make_unique<FewOutputsGradient>(cells_, stream);
  }
  for (int l = 0; l < layers(); ++l) {
    Layer& layer = layers_[l];
    layer.inputs = l == 0 ? layout.spec().data.input.width() : 0;
    layer.leading = padded(layer.inputs + cells_ + 1);
    if (l == 0 || !weights.for_time_loops()) continue;
    layer.products = std::make_unique<Products>(layer.stream);
  }
}

template <typename Operand>
std::size_t Pass<Operand>::gradient_room() const {
  return layout_.parameters() + 8 * static_cast<std::size_t>(4 * cells_);
}

// Segments depend on the network and the batch alone, because products over other rows may round
// differently. With small groups less data is exchanged, so a step is shorter, but large groups
// have a higher total throughput. So groups are small if all clusters run concurrently nonetheless,
// or if large groups would not need fewer clusters.
template <typename Operand>
typename Pass<Operand>::Plan Pass<Operand>::make_plan(const DeviceBatch& batch) const {
  Plan plan;
  const int steps = batch.rows().steps;
  const int sequences = batch.rows().sequences;
  const int segments =
      layers() > 1 && weights_.for_time_loops() ? std::max(1, steps / kSegment) : 1;
  for (int s = 0; s <= segments; ++s) plan.bounds.push_back(s * steps / segments);
  const int networks = place_ ? place_->networks() : 1;
  plan.side_by_side =
      segments > 1 && networks * layers() * clusters(sequences, 16) <= clusters_at_once_;
  const int lanes = networks * (plan.side_by_side ? layers() : 1);
  plan.group = 32;
  for (const int group : {16, 8}) {
    const int needed = clusters(sequences, group);
    if (lanes * needed <= clusters_at_once_ || needed == clusters(sequences, 32)) {
      plan.group = group;
    }
  }
  return plan;
}

template <typename Operand>
void Pass<Operand>::reserve(int count, int sequences) {
  const std::size_t rows = count;
  const std::size_t h = cells_;
  const auto with_one = [&](Buffer<Operand>& buffer, int column, int leading) {
    if (!buffer.reserve(rows * leading)) return;
    check(cudaMemsetAsync(buffer.data(), 0, buffer.capacity() * sizeof(Operand), stream_),
          "clearing memory");
    const int capacity = static_cast<int>(buffer.capacity() / leading);
    fill_column<Operand>(capacity, column, 1, {buffer.data(), leading}, stream_);
  };
  for (Layer& layer : layers_) {
    layer.gates.reserve(rows * 4 * h);
    layer.cells.reserve(rows * h);
    with_one(layer.hidden, cells_, leading_);
    with_one(layer.operands, layer.inputs + cells_, layer.leading);
    layer.hidden_gradient.reserve(rows * h);
    layer.gate_gradient.reserve(rows * 4 * h);
    layer.carried_gradient.reserve(2 * h * sequences);
    while (static_cast<int>(layer.done.size()) < plan_.segments()) layer.done.emplace_back();
  }
  logits_.reserve(rows * output_leading_);
  output_gradient_.reserve(rows * output_leading_);
  losses_.reserve(rows);
  wrong_.reserve(rows);
}

// First row of a segment, and its number of rows.
template <typename Operand>
std::pair<std::size_t, int> Pass<Operand>::rows_of(int segment, const DeviceBatch& batch) const {
  const int first = batch.starts()[plan_.bounds[segment]];
  return {first, batch.starts()[plan_.bounds[segment + 1]] - first};
}

template <typename Operand>
typename Pass<Operand>::Lane Pass<Operand>::lane(int l) {
  if (l == 0 || !plan_.side_by_side) return {stream_, products_};
  return {layers_[l].stream, *layers_[l].products};
}

// Makes the layers' streams wait for this point of stream_.
template <typename Operand>
void Pass<Operand>::fork() {
  if (!plan_.side_by_side) return;
  forked_.record(stream_);
  for (int l = 1; l < layers(); ++l) forked_.hold(lane(l).stream);
}

// Makes stream_ wait for this point of all layers' streams.
template <typename Operand>
void Pass<Operand>::join() {
  if (!plan_.side_by_side) return;
  for (int l = 1; l < layers(); ++l) {
    layers_[l].done[0].record(lane(l).stream);
    layers_[l].done[0].hold(stream_);
  }
}

template class Pass<__half>;
template class Pass<float>;

}  // namespace gradus::cuda
