// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/core/learner.h"

namespace gradus {

// A network under the names and shapes of PyTorch: those of an nn.LSTM, and of an nn.Linear called
// "output". The order of the gates is the same in both: input, forget, cell, output.
//
//   layout.h                     PyTorch
//   lstm<l>.input      (I, 4H)   weight_ih_l<l>  (4H, I)
//   lstm<l>.recurrent  (H, 4H)   weight_hh_l<l>  (4H, H)
//   lstm<l>.bias       (1, 4H)   bias_ih_l<l>    (4H), and bias_hh_l<l> (4H), which is zero
//   output.weight      (H, O)    output.weight   (O, H)
//   output.bias        (1, O)    output.bias     (O)

/// How many tensors at the start of a LearnerState are the network: the weights, or with vi their
/// means, under the names of layout.h with the prefix "mean.".
std::size_t network_size(std::span<const Tensor> learner);

/// Converts the network, with or without the prefix, in the order of layout.h.
std::vector<Tensor> to_torch(std::span<const Tensor> network);

/// The reverse, without a prefix. Values are unchanged to the bit. Throws InputError if the tensors
/// are not a network: if one is missing, unknown or of the wrong shape, or a bias_hh is not zero.
std::vector<Tensor> from_torch(std::span<const Tensor> tensors);

}  // namespace gradus
