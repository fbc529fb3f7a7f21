// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/lstm.h"

#include <algorithm>

#include "gradus/core/answers.h"
#include "gradus/nn/cpu/activations.h"
#include "gradus/nn/cpu/inputs.h"
#include "gradus/nn/cpu/output.h"
#include "gradus/nn/cpu/products.h"

namespace gradus {
namespace {

template <typename Real>
const Real* part(std::span<const Real> array, const Slice& slice) {
  return array.data() + slice.offset;
}

template <typename Real>
Real* part(std::span<Real> array, const Slice& slice) {
  return array.data() + slice.offset;
}

template <typename Real>
void add_row(const Real* row, int width, Real* to) {
  for (int j = 0; j < width; ++j) to[j] += row[j];
}

template <typename Real>
void add_scaled_row(Real factor, const Real* row, int width, Real* to) {
  for (int j = 0; j < width; ++j) to[j] += factor * row[j];
}

}  // namespace

template <typename Real>
LstmPass<Real>::LstmPass(const ParameterLayout& layout, double largest_derivative)
    : layout_(layout), largest_derivative_(largest_derivative), layers_(layout.spec().layers) {}

template <typename Real>
Evaluation LstmPass<Real>::forward(const Batch& batch, std::span<const Real> weights) {
  lay_out(batch);
  add_inputs(weights);
  for (int layer = 0; layer < layout_.spec().layers; ++layer) forward_layer(layer, weights);
  return score(weights);
}

template <typename Real>
void LstmPass<Real>::lay_out(const Batch& batch) {
  batch_ = &batch;
  starts_.assign(1, 0);
  scored_rows_.clear();
  int running = batch.sequences;
  for (int t = 0; t < batch.steps; ++t) {
    while (batch.lengths[running - 1] <= t) --running;
    for (int b = 0; b < running; ++b) {
      const std::size_t cell = static_cast<std::size_t>(t) * batch.sequences + b;
      if (batch.scored[cell] != 0) scored_rows_.push_back(starts_[t] + b);
    }
    starts_.push_back(starts_[t] + running);
  }
  const std::size_t rows = starts_.back();
  const std::size_t h = layout_.spec().cells;
  for (Layer& layer : layers_) {
    layer.gates.resize(rows * 4 * h);
    layer.cells.resize(rows * h);
    layer.squashed.resize(rows * h);
    layer.hidden.resize(rows * h);
  }
}

// Gates of the lowest layer = bias + the input matrix's rows of the active inputs.
template <typename Real>
void LstmPass<Real>::add_inputs(std::span<const Real> weights) {
  const int width = 4 * layout_.spec().cells;
  const Real* bias = part(weights, layout_.bias(0));
  const Real* input = part(weights, layout_.input(0));
  for (int t = 0; t < batch_->steps; ++t) {
    for (int b = 0; b < active(t); ++b) {
      Real* row = layers_[0].gates.data() + static_cast<std::size_t>(starts_[t] + b) * width;
      std::copy(bias, bias + width, row);
      const std::size_t cell = static_cast<std::size_t>(t) * batch_->sequences + b;
      for_each_input(*batch_, layout_.spec().data.input, cell, [&](int i, float value) {
        const Real* from = input + static_cast<std::size_t>(i) * width;
        if (value == 1.0f) {
          add_row(from, width, row);
        } else {
          add_scaled_row(static_cast<Real>(value), from, width, row);
        }
      });
    }
  }
}

template <typename Real>
void LstmPass<Real>::forward_layer(int l, std::span<const Real> weights) {
  const int h = layout_.spec().cells;
  Layer& layer = layers_[l];
  if (l > 0) {
    const Real* bias = part(weights, layout_.bias(l));
    for (int row = 0; row < starts_.back(); ++row) {
      std::copy(bias, bias + 4 * h, layer.gates.data() + static_cast<std::size_t>(row) * 4 * h);
    }
    add_product(starts_.back(), 4 * h, h, layers_[l - 1].hidden.data(),
                part(weights, layout_.input(l)), layer.gates.data());
  }
  const Real* recurrent = part(weights, layout_.recurrent(l));
  for (int t = 0; t < batch_->steps; ++t) {
    if (t > 0) {
      add_product(active(t), 4 * h, h,
                  layer.hidden.data() + static_cast<std::size_t>(starts_[t - 1]) * h, recurrent,
                  layer.gates.data() + static_cast<std::size_t>(starts_[t]) * 4 * h);
    }
    forward_step(layer, t);
  }
}

template <typename Real>
void LstmPass<Real>::forward_step(Layer& layer, int t) {
  const int h = layout_.spec().cells;
  for (int b = 0; b < active(t); ++b) {
    const std::size_t row = starts_[t] + b;
    Real* __restrict i = layer.gates.data() + row * 4 * h;
    Real* __restrict f = i + h;
    Real* __restrict g = f + h;
    Real* __restrict o = g + h;
    Real* __restrict c = layer.cells.data() + row * h;
    Real* __restrict s = layer.squashed.data() + row * h;
    Real* __restrict hidden = layer.hidden.data() + row * h;
    const Real* c_before =
        t > 0 ? layer.cells.data() + static_cast<std::size_t>(starts_[t - 1] + b) * h : nullptr;
    for (int j = 0; j < 2 * h; ++j) i[j] = sigmoid(i[j]);
    for (int j = 0; j < h; ++j) g[j] = hyperbolic_tangent(g[j]);
    for (int j = 0; j < h; ++j) o[j] = sigmoid(o[j]);
    for (int j = 0; j < h; ++j) c[j] = i[j] * g[j];
    for (int j = 0; c_before && j < h; ++j) c[j] += f[j] * c_before[j];
    for (int j = 0; j < h; ++j) s[j] = hyperbolic_tangent(c[j]);
    for (int j = 0; j < h; ++j) hidden[j] = o[j] * s[j];
  }
}

template <typename Real>
Evaluation LstmPass<Real>::score(std::span<const Real> weights) {
  const int h = layout_.spec().cells;
  const OutputSpec& output = layout_.spec().data.output;
  const int scored = static_cast<int>(scored_rows_.size());
  scored_hidden_.resize(static_cast<std::size_t>(scored) * h);
  outputs_.resize(static_cast<std::size_t>(scored) * output.width);
  const Real* bias = part(weights, layout_.output_bias());
  for (int n = 0; n < scored; ++n) {
    const Real* hidden =
        layers_.back().hidden.data() + static_cast<std::size_t>(scored_rows_[n]) * h;
    std::copy(hidden, hidden + h, scored_hidden_.data() + static_cast<std::size_t>(n) * h);
    std::copy(bias, bias + output.width,
              outputs_.data() + static_cast<std::size_t>(n) * output.width);
  }
  add_product(scored, output.width, h, scored_hidden_.data(),
              part(weights, layout_.output_weight()), outputs_.data());

  Evaluation evaluation;
  AnswerCounter answers;
  answers.start(batch_->sequences);
  int n = 0;
  for (int t = 0; t < batch_->steps; ++t) {
    for (int b = 0; b < active(t); ++b) {
      const std::size_t cell = static_cast<std::size_t>(t) * batch_->sequences + b;
      if (batch_->scored[cell] == 0) continue;
      const OutputScore result =
          score_output(output.kind, output.width, batch_->targets[cell],
                       outputs_.data() + static_cast<std::size_t>(n++) * output.width);
      evaluation.total_loss += result.loss;
      answers.add(b, t, result.wrong, evaluation);
    }
  }
  return evaluation;
}

template <typename Real>
void LstmPass<Real>::backward(std::span<const Real> weights, Real scale, std::span<Real> gradient) {
  std::fill(gradient.begin(), gradient.end(), Real{0});
  bound_ = scale * static_cast<Real>(largest_derivative_);
  hidden_gradient_.assign(static_cast<std::size_t>(starts_.back()) * layout_.spec().cells, Real{0});
  backward_output(weights, scale, gradient);
  for (int layer = layout_.spec().layers - 1; layer >= 0; --layer) {
    backward_layer(layer, weights, gradient);
  }
}

template <typename Real>
void LstmPass<Real>::backward_output(std::span<const Real> weights, Real scale,
                                     std::span<Real> gradient) {
  const int h = layout_.spec().cells;
  const int width = layout_.spec().data.output.width;
  const int scored = static_cast<int>(scored_rows_.size());
  for (Real& value : outputs_) value *= scale;
  add_product_at(h, width, scored, scored_hidden_.data(), outputs_.data(),
                 part(gradient, layout_.output_weight()));
  for (int n = 0; n < scored; ++n) {
    add_row(outputs_.data() + static_cast<std::size_t>(n) * width, width,
            part(gradient, layout_.output_bias()));
  }
  // scored_hidden_ is no longer needed: reuse it for the gradients of the scored rows.
  std::fill(scored_hidden_.begin(), scored_hidden_.end(), Real{0});
  add_product_bt(scored, h, width, outputs_.data(), part(weights, layout_.output_weight()),
                 scored_hidden_.data());
  for (int n = 0; n < scored; ++n) {
    const Real* from = scored_hidden_.data() + static_cast<std::size_t>(n) * h;
    std::copy(from, from + h,
              hidden_gradient_.data() + static_cast<std::size_t>(scored_rows_[n]) * h);
  }
}

template <typename Real>
void LstmPass<Real>::backward_layer(int l, std::span<const Real> weights,
                                    std::span<Real> gradient) {
  const int h = layout_.spec().cells;
  Layer& layer = layers_[l];
  const Real* recurrent = part(weights, layout_.recurrent(l));
  cell_gradient_.assign(static_cast<std::size_t>(batch_->sequences) * h, Real{0});
  for (int t = batch_->steps - 1; t >= 0; --t) {
    backward_step(layer, t);
    if (t > 0) {
      add_product_bt(active(t), h, 4 * h,
                     layer.gates.data() + static_cast<std::size_t>(starts_[t]) * 4 * h, recurrent,
                     hidden_gradient_.data() + static_cast<std::size_t>(starts_[t - 1]) * h);
    }
  }

  // Weight gradients: one product over all time steps.
  const int rows = starts_.back();
  const int later_rows = rows - batch_->sequences;
  previous_hidden_.resize(static_cast<std::size_t>(later_rows) * h);
  Real* to = previous_hidden_.data();
  for (int t = 1; t < batch_->steps; ++t) {
    const Real* from = layer.hidden.data() + static_cast<std::size_t>(starts_[t - 1]) * h;
    to = std::copy(from, from + static_cast<std::size_t>(active(t)) * h, to);
  }
  add_product_at(h, 4 * h, later_rows, previous_hidden_.data(),
                 layer.gates.data() + static_cast<std::size_t>(batch_->sequences) * 4 * h,
                 part(gradient, layout_.recurrent(l)));
  for (int row = 0; row < rows; ++row) {
    add_row(layer.gates.data() + static_cast<std::size_t>(row) * 4 * h, 4 * h,
            part(gradient, layout_.bias(l)));
  }
  if (l == 0) {
    input_gradient(layer.gates.data(), part(gradient, layout_.input(0)));
    return;
  }
  add_product_at(h, 4 * h, rows, layers_[l - 1].hidden.data(), layer.gates.data(),
                 part(gradient, layout_.input(l)));
  below_gradient_.assign(static_cast<std::size_t>(rows) * h, Real{0});
  add_product_bt(rows, h, 4 * h, layer.gates.data(), part(weights, layout_.input(l)),
                 below_gradient_.data());
  std::swap(hidden_gradient_, below_gradient_);
}

// Replaces the gates of step t by d loss / d z, clamped to the bound. Reads d loss / d h_t from
// hidden_gradient_ and what step t + 1 left in cell_gradient_; leaves d loss / d c_{t-1} there.
template <typename Real>
void LstmPass<Real>::backward_step(Layer& layer, int t) {
  const int h = layout_.spec().cells;
  const auto limited = [bound = bound_](Real value) { return std::clamp(value, -bound, bound); };
  for (int b = 0; b < active(t); ++b) {
    const std::size_t row = starts_[t] + b;
    Real* __restrict i = layer.gates.data() + row * 4 * h;
    Real* __restrict f = i + h;
    Real* __restrict g = f + h;
    Real* __restrict o = g + h;
    const Real* __restrict s = layer.squashed.data() + row * h;
    const Real* __restrict dh = hidden_gradient_.data() + row * h;
    Real* __restrict dc = cell_gradient_.data() + static_cast<std::size_t>(b) * h;
    const Real* c_before =
        t > 0 ? layer.cells.data() + static_cast<std::size_t>(starts_[t - 1] + b) * h : nullptr;
    for (int j = 0; j < h; ++j) {
      const Real d = dc[j] + dh[j] * o[j] * (1 - s[j] * s[j]);
      const Real before = c_before ? c_before[j] : Real{0};
      o[j] = limited(dh[j] * s[j] * o[j] * (1 - o[j]));
      dc[j] = d * f[j];
      f[j] = limited(d * before * f[j] * (1 - f[j]));
      const Real input = i[j];
      i[j] = limited(d * g[j] * input * (1 - input));
      g[j] = limited(d * input * (1 - g[j] * g[j]));
    }
  }
}

template <typename Real>
void LstmPass<Real>::input_gradient(const Real* gates, Real* gradient) const {
  const int width = 4 * layout_.spec().cells;
  for (int t = 0; t < batch_->steps; ++t) {
    for (int b = 0; b < active(t); ++b) {
      const Real* row = gates + static_cast<std::size_t>(starts_[t] + b) * width;
      const std::size_t cell = static_cast<std::size_t>(t) * batch_->sequences + b;
      for_each_input(*batch_, layout_.spec().data.input, cell, [&](int i, float value) {
        add_scaled_row(static_cast<Real>(value), row, width,
                       gradient + static_cast<std::size_t>(i) * width);
      });
    }
  }
}

template class LstmPass<float>;
template class LstmPass<double>;

}  // namespace gradus
