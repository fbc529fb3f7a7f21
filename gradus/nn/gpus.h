// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gradus {

struct Gpu {
  std::string description;  ///< its name and size, for display
  std::string problem;      ///< why it cannot be used; empty if it can
};

/// The GPUs of a machine, numbered from 0. An interface, so that tests can have any number of them.
class Gpus {
 public:
  virtual ~Gpus() = default;

  /// Why there are none; empty if there are some.
  virtual std::string problem() const = 0;
  virtual std::vector<Gpu> list() const = 0;
  /// Bytes of memory that no process uses. May start CUDA on that GPU, which needs some of it.
  virtual std::uint64_t free_memory(int gpu) const = 0;
};

/// The GPUs that CUDA shows to this process: CUDA_VISIBLE_DEVICES hides some and numbers the
/// others.
const Gpus& cuda_gpus();

}  // namespace gradus
