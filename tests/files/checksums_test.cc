// SPDX-License-Identifier: Apache-2.0
#include "gradus/files/checksums.h"

#include <gtest/gtest.h>

namespace gradus {
namespace {

// Examples of FIPS 180-4 and from the NIST test vectors.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// The check value of the catalogue of CRCs, and the examples of RFC 3720, B.4.
TEST(Crc32c, GivesThePublishedValues) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
}

// Existing caches are found and checked by these numbers. Computed from the definition in Python:
//   sum = len(b)
//   for i in range(0, len(b), 8):
//       sum = (sum ^ int.from_bytes(b[i:i + 8], "little")) * 0x9e3779b97f4a7c15 % 2**64
//       sum ^= sum >> 32
TEST(Checksum, IsTheOneOfExistingCaches) {
  EXPECT_EQ(checksum(""), 0u);
  EXPECT_EQ(checksum("a"), 0x54cda58fef23226fu);
  EXPECT_EQ(checksum("In the beginning"), 0x5b5a1f0100545c89u);
}

}  // namespace
}  // namespace gradus
