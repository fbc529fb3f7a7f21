// SPDX-License-Identifier: Apache-2.0
// The entry point that libFuzzer calls, in a program with one target.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const gradus::fuzz::Target target = gradus::fuzz::targets().begin()->second;
  target({reinterpret_cast<const char*>(data), size});
  return 0;
}
