// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/learner.h"

namespace gradus {

/// A network and what it reads: all that is needed to use it.
struct SavedNetwork {
  std::vector<Tensor> tensors;  ///< the weights, under the names of nn/layout.h
  DataSpec data;
  std::vector<std::string> vocabulary;  ///< Curriculum::vocabulary()
  bool operator==(const SavedNetwork&) const = default;
};

/// The bytes of weights.safetensors: the weights under PyTorch's names (nn/torch_names.h), the data
/// shape and the vocabulary as JSON in the metadata.
std::string to_network_file(const SavedNetwork& network);

/// Reads such a file. Throws InputError if it is damaged or was written by another program.
SavedNetwork read_network_file(std::string_view bytes);

}  // namespace gradus
