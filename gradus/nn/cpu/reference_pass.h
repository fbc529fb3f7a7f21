// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gradus/nn/cpu/lstm.h"
#include "gradus/nn/cpu/pass.h"

namespace gradus {

/// The reference pass. Splits a batch into parts of a fixed number of sequences, which threads
/// share, and adds the parts' losses and gradients in order.
class ReferencePass final : public NetworkPass<double> {
 public:
  ReferencePass(const ParameterLayout& layout, ThreadTeam& team, double largest_derivative);

  void load(std::span<const double> weights) override { weights_ = weights; }
  Evaluation evaluate(const Batch& batch) override;
  Evaluation differentiate(const Batch& batch, std::span<double> gradient) override;

 private:
  struct Part {
    Part(const ParameterLayout& layout, double largest_derivative)
        : pass(layout, largest_derivative) {}
    LstmPass<double> pass;
    Batch batch;
    Evaluation evaluation;
    std::vector<double> gradient;  // (P)
  };

  int run_parts(const Batch& batch, bool with_gradient);
  Evaluation total(int parts) const;

  const ParameterLayout& layout_;
  ThreadTeam& team_;
  const double largest_derivative_;
  std::span<const double> weights_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace gradus
