// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "gradus/core/error.h"

// The entry point that every file of this folder defines, and that libFuzzer or seeds.cc calls. Any
// exception that leaves it is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace gradus::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

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
