// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/network.h"

#include <algorithm>
#include <limits>
#include <string>

#include "gradus/core/error.h"
#include "gradus/nn/cpu/activations.h"
#include "gradus/nn/cpu/inputs.h"

namespace gradus {
namespace {

// Cells and layers follow from the tensors; the constructor checks all shapes.
NetworkSpec spec_of(const DataSpec& data, std::span<const Tensor> tensors) {
  if (tensors.size() < 5 || tensors[1].shape.empty()) {
    throw InputError("the weights are " + std::to_string(tensors.size()) +
                     " tensors, expected those of an LSTM");
  }
  return {data, static_cast<int>((tensors.size() - 2) / 3), static_cast<int>(tensors[1].shape[0])};
}

std::vector<float> flat_weights(const ParameterLayout& layout, std::span<const Tensor> tensors) {
  std::vector<float> weights;
  weights.reserve(layout.parameters());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    const auto* values = std::get_if<std::vector<float>>(&tensor.values);
    const Slice& slice = layout.slices().at(i);
    if (!values || tensor.name != slice.name ||
        tensor.shape != std::vector<std::int64_t>{slice.rows, slice.columns}) {
      throw InputError("the weights " + tensor.name + " do not fit the data of the network");
    }
    weights.insert(weights.end(), values->begin(), values->end());
  }
  return weights;
}

// to += a * matrix, of (rows, k) and (k, n). Each row of the matrix is read once for all rows of a:
// reading the matrix takes most of the time.
void add_product(int rows, int n, int k, const float* a, const float* matrix, float* to) {
  for (int i = 0; i < k; ++i) {
    const float* __restrict row = matrix + static_cast<std::size_t>(i) * n;
    for (int b = 0; b < rows; ++b) {
      const float factor = a[static_cast<std::size_t>(b) * k + i];
      float* __restrict sum = to + static_cast<std::size_t>(b) * n;
      for (int j = 0; j < n; ++j) sum[j] += factor * row[j];
    }
  }
}

}  // namespace

Network::Network(const DataSpec& data, std::span<const Tensor> tensors, int threads)
    : layout_(spec_of(data, tensors)),
      weights_(flat_weights(layout_, tensors)),
      team_(threads),
      pass_(make_pass<float>(layout_, team_, std::numeric_limits<double>::infinity())) {
  pass_->load(weights_);
}

void Network::start(int sequences) {
  const auto cells = static_cast<std::size_t>(sequences) * spec().cells;
  layers_.assign(spec().layers, {std::vector<float>(cells), std::vector<float>(cells)});
}

std::span<const float> Network::step(const Batch& batch, int t) {
  const int h = spec().cells;
  const int width = spec().data.output.width;
  const int rows = static_cast<int>(
      std::ranges::count_if(batch.lengths, [t](std::int32_t length) { return length > t; }));
  add_inputs(batch, t, rows);
  for (int l = 0; l < spec().layers; ++l) {
    if (l > 0) {
      for (int b = 0; b < rows; ++b) {
        std::copy_n(part(layout_.bias(l)), 4 * h, gates_.data() + std::size_t{4} * h * b);
      }
      add_product(rows, 4 * h, h, layers_[l - 1].hidden.data(), part(layout_.input(l)),
                  gates_.data());
    }
    add_product(rows, 4 * h, h, layers_[l].hidden.data(), part(layout_.recurrent(l)),
                gates_.data());
    move_cells(layers_[l], rows);
  }
  outputs_.resize(static_cast<std::size_t>(rows) * width);
  for (int b = 0; b < rows; ++b) {
    std::copy_n(part(layout_.output_bias()), width,
                outputs_.data() + static_cast<std::size_t>(b) * width);
  }
  add_product(rows, width, h, layers_.back().hidden.data(), part(layout_.output_weight()),
              outputs_.data());
  return outputs_;
}

// Gates of the lowest layer = bias + the input matrix's rows of the active inputs.
void Network::add_inputs(const Batch& batch, int t, int rows) {
  const std::size_t width = std::size_t{4} * spec().cells;
  gates_.resize(rows * width);
  for (int b = 0; b < rows; ++b) {
    float* gates = gates_.data() + b * width;
    std::copy_n(part(layout_.bias(0)), width, gates);
    const std::size_t cell = static_cast<std::size_t>(t) * batch.sequences + b;
    for_each_input(batch, spec().data.input, cell, [&](int i, float value) {
      const float* row = part(layout_.input(0)) + static_cast<std::size_t>(i) * width;
      for (std::size_t j = 0; j < width; ++j) gates[j] += value * row[j];
    });
  }
}

// c = f c + i g and h = o tanh(c); lstm.h has the equations.
void Network::move_cells(Layer& layer, int rows) {
  const int h = spec().cells;
  for (int b = 0; b < rows; ++b) {
    const float* z = gates_.data() + std::size_t{4} * h * b;
    float* c = layer.cells.data() + static_cast<std::size_t>(b) * h;
    float* hidden = layer.hidden.data() + static_cast<std::size_t>(b) * h;
    for (int j = 0; j < h; ++j) {
      c[j] = sigmoid(z[h + j]) * c[j] + sigmoid(z[j]) * hyperbolic_tangent(z[2 * h + j]);
      hidden[j] = sigmoid(z[3 * h + j]) * hyperbolic_tangent(c[j]);
    }
  }
}

int most_likely(std::span<const float> logits) {
  return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
}

}  // namespace gradus
