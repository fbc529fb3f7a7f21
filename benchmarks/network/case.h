#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/batch.h"
#include "gradus/nn/spec.h"

namespace gradus::benchmarks {

/// One shape to time: a network, and a batch of equally long sequences, the last `scored` outputs
/// of which count.
struct Case {
  NetworkSpec network;
  int sequences = 0;
  int steps = 0;
  int inputs = 0;  ///< the first steps of a sequence have input, the rest none
  int scored = 0;
  bool prediction_gain = false;
  std::string objective;
  int threads = 1;
};

Case read_case(const nlohmann::json& json);

/// Random inputs and targets.
Batch make_case_batch(const Case& c);

/// Floating-point operations of the matrix products that an update of the case needs at the least,
/// two a multiply-add: zero inputs, outputs that do not count and the state before the first step
/// cost nothing. The backward pass multiplies every weight twice as often as the forward pass, but
/// needs no gradient by the input. Gates, losses and the optimiser are not counted.
double useful_operations(const Case& c, const Batch& batch);

}  // namespace gradus::benchmarks
