// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace gradus {

/// FNV-1a with 32 and with 64 bits. Names of tasks select streams of random numbers by these, so
/// saved runs depend on the values: never change them.
std::uint32_t name_hash32(std::string_view name);
std::uint64_t name_hash64(std::string_view name);

/// One round of SplitMix64: every bit of `number` affects every bit of the result.
std::uint64_t mix_bits(std::uint64_t number);

/// A hash of a sequence of numbers, to see in one number whether two sequences are equal. Different
/// sequences have the same hash with probability 2^-64. Not for files: later versions may compute
/// it in another way.
class Fingerprint {
 public:
  void add(std::uint64_t number);
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

}  // namespace gradus
