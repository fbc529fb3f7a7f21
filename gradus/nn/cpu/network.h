// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gradus/core/learner.h"
#include "gradus/nn/cpu/pass.h"
#include "gradus/nn/cpu/thread_team.h"
#include "gradus/nn/layout.h"

namespace gradus {

/// A trained network, for use: evaluates batches, and predicts step by step. It does not learn.
/// Single precision. Not thread-safe.
class Network {
 public:
  /// `tensors` are the weights under the names and in the order of ParameterLayout. Throws
  /// InputError if they are not those of an LSTM with inputs and outputs of `data`.
  Network(const DataSpec& data, std::span<const Tensor> tensors, int threads = 1);

  const NetworkSpec& spec() const { return layout_.spec(); }

  /// Losses and errors of a batch, by the same code as during training.
  Evaluation evaluate(const Batch& batch) { return pass_->evaluate(batch); }

  /// Starts `sequences` new sequences: all states are zero.
  void start(int sequences);
  /// Reads the inputs of step `t` of the sequences that are longer than t, a prefix of R sequences,
  /// and returns their logits (R, O), which are valid until the next call. REQUIRES a batch with as
  /// many sequences as were started.
  std::span<const float> step(const Batch& batch, int t);

 private:
  struct Layer {
    std::vector<float> cells;   // (B, H) c
    std::vector<float> hidden;  // (B, H) h
  };
  void add_inputs(const Batch& batch, int t, int rows);
  void move_cells(Layer& layer, int rows);
  const float* part(const Slice& slice) const { return weights_.data() + slice.offset; }

  ParameterLayout layout_;
  std::vector<float> weights_;  // (P)
  ThreadTeam team_;
  std::unique_ptr<NetworkPass<float>> pass_;
  std::vector<Layer> layers_;
  std::vector<float> gates_;    // (B, 4H) of the current layer
  std::vector<float> outputs_;  // (B, O)
};

/// The index of the largest of `logits`: the most likely token.
int most_likely(std::span<const float> logits);

}  // namespace gradus
