// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "gradus/core/error.h"

namespace gradus::fuzz {

/// Takes untrusted bytes. Any exception that leaves it is a finding.
using Target = void (*)(const std::string& bytes);

/// The targets of this program by name: all of them, or one if libFuzzer runs it.
inline std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

struct Registration {
  Registration(const std::string& name, Target target) { targets()[name] = target; }
};

// Defines and registers a target: GRADUS_FUZZ_TARGET(name)(const std::string& bytes) { ... }
#define GRADUS_FUZZ_TARGET(name)                                 \
  static void fuzz_##name(const std::string& bytes);             \
  static const Registration register_##name(#name, fuzz_##name); \
  static void fuzz_##name

/// What `read` returns, or nothing if it refuses its input with an InputError.
template <typename Read>
auto accepted(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

inline void require(bool holds, const std::string& property) {
  if (!holds) throw std::logic_error("does not hold: " + property);
}

}  // namespace gradus::fuzz
