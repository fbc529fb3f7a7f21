// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/core/learner.h"
#include "gradus/nn/layout.h"

namespace gradus {

/// Forward and backward pass of the stacked LSTM over one batch, on one thread: the reference that
/// all faster code is checked against. With gates i, f, g, o and x the input from below:
///
///   z = x W + h_{t-1} R + b          i, f, o = sigmoid(z_i, z_f, z_o)     g = tanh(z_g)
///   c_t = f c_{t-1} + i g            h_t = o tanh(c_t)                    h_{-1} = c_{-1} = 0
///
/// Only real steps are stored. The rows of step t are the sequences longer than t, which are a
/// prefix of the batch, so padding costs nothing. M is the sum of lengths. Memory is kept between
/// calls. Real is float or double.
template <typename Real>
class LstmPass {
 public:
  /// backward() clamps d loss / d z of each sequence's summed loss to +-largest_derivative before
  /// it propagates to the weights, to h_{t-1} and to the layer below. What propagates through c is
  /// not limited. `layout` must outlive the pass.
  explicit LstmPass(const ParameterLayout& layout,
                    double largest_derivative = std::numeric_limits<double>::infinity());

  /// Losses and errors of `batch` under `weights` (P). If backward() follows, the batch must still
  /// exist then.
  Evaluation forward(const Batch& batch, std::span<const Real> weights);

  /// Writes the gradient of scale * total loss to `gradient` (P). REQUIRES a preceding forward()
  /// with the same weights; call it once per forward().
  void backward(std::span<const Real> weights, Real scale, std::span<Real> gradient);

 private:
  struct Layer {
    std::vector<Real> gates;     // (M, 4H) activations; backward() replaces them by d loss / d z
    std::vector<Real> cells;     // (M, H) c_t
    std::vector<Real> squashed;  // (M, H) tanh(c_t)
    std::vector<Real> hidden;    // (M, H) h_t
  };

  void lay_out(const Batch& batch);
  void add_inputs(std::span<const Real> weights);
  void forward_layer(int layer, std::span<const Real> weights);
  void forward_step(Layer& layer, int t);
  Evaluation score(std::span<const Real> weights);
  void backward_output(std::span<const Real> weights, Real scale, std::span<Real> gradient);
  void backward_layer(int layer, std::span<const Real> weights, std::span<Real> gradient);
  void backward_step(Layer& layer, int t);
  void input_gradient(const Real* gates, Real* gradient) const;

  int active(int t) const { return starts_[t + 1] - starts_[t]; }

  const ParameterLayout& layout_;
  const double largest_derivative_;
  Real bound_ = 0;  // bound on d (scale * loss) / d z
  const Batch* batch_ = nullptr;
  std::vector<int> starts_;       // (T + 1) first row of each step
  std::vector<int> scored_rows_;  // rows of the top layer whose output is scored
  std::vector<Layer> layers_;
  std::vector<Real> scored_hidden_;    // (scored, H)
  std::vector<Real> outputs_;          // (scored, O) logits; score() replaces them by p - y
  std::vector<Real> hidden_gradient_;  // (M, H) d loss / d h of the current layer
  std::vector<Real> below_gradient_;   // (M, H) the same for the layer below
  std::vector<Real> cell_gradient_;    // (B, H) d loss / d c carried from step t + 1
  std::vector<Real> previous_hidden_;  // (M - B, H) h_{t-1} for each row of steps 1..T-1
};

extern template class LstmPass<float>;
extern template class LstmPass<double>;

}  // namespace gradus
