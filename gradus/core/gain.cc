// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/gain.h"

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"

namespace gradus {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

}  // namespace

json Gain::memory() const {
  return nullptr;
}

void Gain::set_memory(const json& memory) {
  if (memory.is_null()) return;
  throw InputError("saved gain has a memory, but gain " + std::string(name()) + " has none");
}

json Gain::save() const {
  return {{"version", kVersion}, {"gain", name()}, {"memory", memory()}};
}

void Gain::restore(const json& saved) {
  if (saved.is_null() && memory().is_null()) return;
  const std::uint64_t version = read_count(saved, "version");
  if (version != kVersion) {
    throw InputError("saved gain has version " + std::to_string(version) + ", expected " +
                     std::to_string(kVersion));
  }
  const json& gain = read_field(saved, "gain");
  if (gain != name()) {
    throw InputError("saved gain is " + gain.dump() + ", expected \"" + std::string(name()) + '"');
  }
  set_memory(read_field(saved, "memory"));
}

}  // namespace gradus
