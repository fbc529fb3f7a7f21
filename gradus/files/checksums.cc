// SPDX-License-Identifier: Apache-2.0
#include "gradus/files/checksums.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include <openssl/sha.h>

namespace gradus {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  if (::SHA256(data, bytes.size(), digest.data()) == nullptr) {
    throw std::runtime_error("OpenSSL cannot compute SHA-256");
  }
  std::string text;
  for (const unsigned char byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::uint32_t crc32c(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> made;
    for (std::uint32_t i = 0; i < 256; ++i) {
      made[i] = i;
      for (int bit = 0; bit < 8; ++bit) made[i] = made[i] >> 1 ^ (made[i] & 1 ? 0x82f63b78u : 0);
    }
    return made;
  }();
  std::uint32_t crc = ~0u;
  for (const char c : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(c)) & 255];
  return ~crc;
}

std::uint64_t checksum(std::string_view bytes) {
  // Each step is one-to-one in the word and in the sum so far.
  std::uint64_t sum = bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t size = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), size);
    bytes.remove_prefix(size);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 32;
  }
  return sum;
}

}  // namespace gradus
