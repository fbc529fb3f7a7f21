// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gradus {

// Stored files contain these numbers, so they must never change.

/// SHA-256 as 64 hexadecimal digits, as `sha256sum` prints it. For checkpoints.
std::string sha256(std::string_view bytes);

/// CRC-32C (Castagnoli). For TensorBoard's event files.
std::uint32_t crc32c(std::string_view bytes);

/// A 64-bit checksum, for caches that are read often. Always differs for inputs of equal length
/// that differ only within one aligned group of 8 bytes. Detects accidental damage, not tampering.
std::uint64_t checksum(std::string_view bytes);

}  // namespace gradus
