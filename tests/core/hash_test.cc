// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/hash.h"

#include <gtest/gtest.h>

namespace gradus {
namespace {

// From the test vectors in the appendix of the Internet draft "The FNV Non-Cryptographic Hash
// Algorithm".
TEST(NameHash, IsThePublishedFnv1a) {
  EXPECT_EQ(name_hash32(""), 0x811c9dc5u);
  EXPECT_EQ(name_hash32("a"), 0xe40c292cu);
  EXPECT_EQ(name_hash32("foobar"), 0xbf9cf968u);
  EXPECT_EQ(name_hash64(""), 0xcbf29ce484222325u);
  EXPECT_EQ(name_hash64("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(name_hash64("foobar"), 0x85944171f73967e8u);
}

// The first outputs of SplitMix64 with the seeds 0 and 1234567, as in the reference code of
// Sebastiano Vigna.
TEST(Fingerprint, OfOneNumberIsThePublishedSplitMix64) {
  Fingerprint zero, other;
  zero.add(0);
  other.add(1234567);
  EXPECT_EQ(zero.value(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(other.value(), 6457827717110365317u);
}

TEST(Fingerprint, DependsOnOrderAndLength) {
  const auto of = [](std::initializer_list<std::uint64_t> numbers) {
    Fingerprint fingerprint;
    for (const std::uint64_t number : numbers) fingerprint.add(number);
    return fingerprint.value();
  };
  EXPECT_EQ(of({1, 2}), of({1, 2}));
  EXPECT_NE(of({1, 2}), of({2, 1}));
  EXPECT_NE(of({1, 2}), of({1, 2, 0}));
  EXPECT_NE(of({}), of({0}));
}

}  // namespace
}  // namespace gradus
