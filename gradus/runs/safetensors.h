// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/learner.h"

namespace gradus {

/// The bytes of a safetensors file: a JSON header with name, type (F32 or F64), shape and offsets
/// of each tensor, followed by the little-endian numbers. `facts` become the __metadata__ of the
/// header.
std::string to_safetensors(const std::vector<Tensor>& tensors,
                           const std::map<std::string, std::string>& facts = {});

/// Reads such a file. Tensors are in the order of their offsets. Throws InputError if the file is
/// malformed: truncated, with gaps, overlaps or offsets outside the file, or with another type.
/// `facts`, if given, becomes the __metadata__ of the header.
std::vector<Tensor> from_safetensors(std::string_view bytes,
                                     std::map<std::string, std::string>* facts = nullptr);

}  // namespace gradus
