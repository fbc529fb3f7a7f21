#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/learner.h"

namespace gradus {

/// The bytes of a safetensors file: a header in JSON that names each tensor, its type (F32, F64),
/// shape and place, then their numbers, little-endian. `facts` become the header's __metadata__.
std::string to_safetensors(const std::vector<Tensor>& tensors,
                           const std::map<std::string, std::string>& facts = {});

/// Reads such a file back, tensors in the order of their places. Throws InputError where it is not
/// one: what is missing, overlaps, lies outside, or has another type.
std::vector<Tensor> from_safetensors(std::string_view bytes);

}  // namespace gradus
