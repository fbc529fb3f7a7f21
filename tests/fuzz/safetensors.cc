// SPDX-License-Identifier: Apache-2.0
// The weights of a checkpoint. What is read can be written and read again.

#include "gradus/runs/safetensors.h"

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  const std::string bytes = fuzz::text_of(data, size);
  const auto tensors = fuzz::accepted([&] { return from_safetensors(bytes); });
  if (!tensors) return 0;
  // Bytes are compared, since a NaN differs from itself.
  const std::string written = to_safetensors(*tensors);
  fuzz::require(to_safetensors(from_safetensors(written)) == written,
                "tensors are read as they were written");
  return 0;
}
