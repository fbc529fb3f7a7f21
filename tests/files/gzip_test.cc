// SPDX-License-Identifier: Apache-2.0
#include "gradus/files/gzip.h"

#include <gtest/gtest.h>

#include "gradus/core/error.h"

namespace gradus {
namespace {

// That others can read it is tested with Python's gzip (tests/cli/test_results.py).
TEST(Gzip, ReadsBackTheSame) {
  EXPECT_EQ(gunzip(gzip("some text"), "x", 100), "some text");
  EXPECT_EQ(gunzip(gzip(""), "x", 0), "");
}

TEST(Gunzip, RefusesMoreThanItWasTold) {
  const std::string bytes = gzip(std::string(1'000'000, 'x'));
  EXPECT_THROW(gunzip(bytes, "x", 999'999), InputError);
  EXPECT_EQ(gunzip(bytes, "x", 1'000'000).size(), 1'000'000u);
  EXPECT_THROW(gunzip(bytes.substr(0, bytes.size() / 2), "x", 1'000'000), InputError);
  EXPECT_THROW(gunzip(bytes + "more", "x", 1'000'000), InputError);
}

}  // namespace
}  // namespace gradus
