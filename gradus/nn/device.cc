// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/device.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "gradus/core/error.h"

namespace gradus {
namespace {

// The numbers of "0,2", or nothing if the text is not a list of different numbers.
std::vector<int> parse_gpus(std::string_view text) {
  std::vector<int> gpus;
  while (true) {
    int gpu = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), gpu);
    if (error != std::errc() || gpu < 0 || std::ranges::find(gpus, gpu) != gpus.end()) return {};
    gpus.push_back(gpu);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return gpus;
    if (text.front() != ',') return {};
    text.remove_prefix(1);
  }
}

}  // namespace

const std::vector<std::string>& device_names() {
  static const std::vector<std::string> names = {"cpu", "cuda"};
  return names;
}

Device parse_device(const std::string& name) {
  static constexpr std::string_view kPrefix = "cuda:";
  if (!name.starts_with(kPrefix)) {
    find_known("device", name, device_names());
    return {name == "cuda", {}};
  }
  const std::vector<int> gpus = parse_gpus(std::string_view(name).substr(kPrefix.size()));
  if (gpus.empty()) {
    throw InputError("device is \"" + name +
                     "\", expected different numbers of GPUs after \"cuda:\", as in cuda:0,2");
  }
  return {true, gpus};
}

const std::vector<std::string>& precision_names() {
  static const std::vector<std::string> names = {"fp16", "fp32"};
  return names;
}

}  // namespace gradus
