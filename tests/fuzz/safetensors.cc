// SPDX-License-Identifier: Apache-2.0
// The weights of a checkpoint. What is read can be written and read again, as tensors and as a
// network.

#include "gradus/runs/safetensors.h"

#include "gradus/nn/cpu/network.h"
#include "gradus/runs/network_file.h"
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
  const auto network = fuzz::accepted([&] { return read_network_file(bytes); });
  if (!network) return 0;
  const std::string file = to_network_file(*network);
  fuzz::require(to_network_file(read_network_file(file)) == file,
                "a network is read as it was written");
  fuzz::accepted([&] { return std::make_unique<Network>(network->data, network->tensors); });
  return 0;
}
