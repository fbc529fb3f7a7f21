// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gradus/nn/gpus.h"

namespace gradus {

/// More networks than this slow each other down on one GPU; docs/performance.md has the
/// measurements.
constexpr int kNetworksPerGpu = 16;

/// The GPU of one network, which counts as a network there for as long as its place exists.
class GpuPlace {
 public:
  GpuPlace(int gpu, std::shared_ptr<std::atomic<int>> networks);
  ~GpuPlace();
  GpuPlace(const GpuPlace&) = delete;
  GpuPlace& operator=(const GpuPlace&) = delete;

  int gpu() const { return gpu_; }
  /// Networks of the pool on this GPU, including this one. The fastest way to split the work of a
  /// network depends on their number; results do not.
  int networks() const { return *networks_; }

 private:
  int gpu_;
  std::shared_ptr<std::atomic<int>> networks_;
};

/// Gives each network the GPU with the most room. Thread-safe.
class GpuPool {
 public:
  /// `gpus` must outlive the pool.
  explicit GpuPool(const Gpus& gpus = cuda_gpus()) : gpus_(gpus) {}

  /// The numbers of the GPUs that a network on `device` may use. "cuda" means all that are usable.
  /// Throws InputError if `device` names one that is missing or unusable, or if none is left.
  std::vector<int> candidates(const std::string& device) const;

  /// A place on the candidate with the most room: the one with the most free memory per network,
  /// including the new one. GPUs with kNetworksPerGpu networks are used only if all are full.
  /// Throws as candidates() does. REQUIRES a CUDA device.
  std::shared_ptr<const GpuPlace> take(const std::string& device);

 private:
  // Whether the GPU is not full, and its free memory per network.
  std::pair<bool, double> room(int gpu);

  const Gpus& gpus_;
  std::mutex mutex_;
  std::map<int, std::shared_ptr<std::atomic<int>>> networks_;  // by GPU; guarded by mutex_
};

}  // namespace gradus
