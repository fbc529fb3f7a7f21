// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/batch.h"
#include "gradus/nn/spec.h"

namespace gradus::benchmarks {

/// One shape to time: a network, and a batch of sequences of equal length. The last `scored`
/// outputs of each sequence are scored.
struct Case {
  NetworkSpec network;
  int sequences = 0;
  int steps = 0;
  int inputs = 0;  ///< only the first `inputs` steps of a sequence have input
  int scored = 0;
  bool prediction_gain = false;
  std::string objective;
  int threads = 1;
};

Case read_case(const nlohmann::json& json);

/// Makes a batch with random inputs and targets.
Batch make_case_batch(const Case& c);

/// Least number of floating-point operations in the matrix products of an update, with two per
/// multiply-add. Zero inputs, outputs that are not scored, and the state before the first step cost
/// nothing. The backward pass multiplies every weight twice as often as the forward pass, but needs
/// no gradient with respect to the input. Gates, losses and the optimiser are not counted.
double useful_operations(const Case& c, const Batch& batch);

}  // namespace gradus::benchmarks
