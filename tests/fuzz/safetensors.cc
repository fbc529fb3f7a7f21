// SPDX-License-Identifier: Apache-2.0
// The weights of a checkpoint. What is read can be written and read again, as tensors and as a
// network.

#include "gradus/runs/safetensors.h"

#include "gradus/nn/cpu/network.h"
#include "gradus/runs/network_file.h"
#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(safetensors)(const std::string& bytes) {
  const auto tensors = accepted([&] { return from_safetensors(bytes); });
  if (!tensors) return;
  // Bytes are compared, since a NaN differs from itself.
  const std::string written = to_safetensors(*tensors);
  require(to_safetensors(from_safetensors(written)) == written,
          "tensors are read as they were written");
  const auto network = accepted([&] { return read_network_file(bytes); });
  if (!network) return;
  const std::string file = to_network_file(*network);
  require(to_network_file(read_network_file(file)) == file, "a network is read as it was written");
  accepted([&] { return std::make_unique<Network>(network->data, network->tensors); });
}

}  // namespace gradus::fuzz
