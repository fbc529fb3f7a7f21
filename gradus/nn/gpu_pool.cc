// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/gpu_pool.h"

#include <algorithm>
#include <numeric>

#include "gradus/core/error.h"
#include "gradus/nn/device.h"

namespace gradus {
namespace {

[[noreturn]] void refuse(const std::string& device, const std::string& why) {
  throw InputError("device is \"" + device + "\", but " + why);
}

std::string missing_text(int gpu, std::size_t gpus) {
  return "there is no GPU " + std::to_string(gpu) + ": this machine has " + std::to_string(gpus) +
         (gpus == 1 ? " GPU" : " GPUs") + ", numbered from 0";
}

}  // namespace

GpuPlace::GpuPlace(int gpu, std::shared_ptr<std::atomic<int>> networks)
    : gpu_(gpu), networks_(std::move(networks)) {
  ++*networks_;
}

GpuPlace::~GpuPlace() {
  --*networks_;
}

std::vector<int> GpuPool::candidates(const std::string& device) const {
  if (!gpus_.problem().empty()) refuse(device, gpus_.problem() + "; use device \"cpu\"");
  const std::vector<Gpu> gpus = gpus_.list();
  std::vector<int> named = parse_device(device).gpus;
  const bool all = named.empty();
  if (all) {
    named.resize(gpus.size());
    std::iota(named.begin(), named.end(), 0);
  }
  std::vector<int> usable;
  std::string problem;
  for (const int gpu : named) {
    if (gpu >= std::ssize(gpus)) refuse(device, missing_text(gpu, gpus.size()));
    if (gpus[gpu].problem.empty()) {
      usable.push_back(gpu);
    } else if (problem.empty()) {
      problem = "GPU " + std::to_string(gpu) + " cannot be used: " + gpus[gpu].problem;
    }
  }
  if (usable.empty() || (!all && !problem.empty())) refuse(device, problem);
  return usable;
}

std::pair<bool, double> GpuPool::room(int gpu) {
  const int networks = *networks_[gpu];
  const double share = static_cast<double>(gpus_.free_memory(gpu)) / (networks + 1);
  return {networks < kNetworksPerGpu, share};
}

std::shared_ptr<const GpuPlace> GpuPool::take(const std::string& device) {
  const std::vector<int> gpus = candidates(device);
  const std::lock_guard lock(mutex_);
  for (const int gpu : gpus) {
    if (!networks_[gpu]) networks_[gpu] = std::make_shared<std::atomic<int>>(0);
  }
  int best = gpus.front();
  if (gpus.size() > 1) {  // otherwise do not start CUDA only to compare
    best = *std::ranges::max_element(gpus, {}, [&](int gpu) { return room(gpu); });
  }
  return std::make_shared<GpuPlace>(best, networks_[best]);
}

}  // namespace gradus
