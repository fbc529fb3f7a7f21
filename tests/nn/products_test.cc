// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/products.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradus {
namespace {

using ::testing::ElementsAre;

TEST(Products, OfTwoByThreeAndThreeByTwo) {
  const std::vector<double> a = {1, 2, 3, 4, 5, 6};     // (2, 3)
  const std::vector<double> at = {1, 4, 2, 5, 3, 6};    // (3, 2)
  const std::vector<double> b = {7, 8, 9, 10, 11, 12};  // (3, 2)
  const std::vector<double> bt = {7, 9, 11, 8, 10, 12};
  std::vector<double> c = {1000, 0, 0, 0};
  add_product(2, 2, 3, a.data(), b.data(), c.data());
  EXPECT_THAT(c, ElementsAre(1058, 64, 139, 154));
  c = {1000, 0, 0, 0};
  add_product_at(2, 2, 3, at.data(), b.data(), c.data());
  EXPECT_THAT(c, ElementsAre(1058, 64, 139, 154));
  c = {1000, 0, 0, 0};
  add_product_bt(2, 2, 3, a.data(), bt.data(), c.data());
  EXPECT_THAT(c, ElementsAre(1058, 64, 139, 154));
}

// With a(i, p) = i + 1 and b(p, j) = (p + 1)(j + 1): c(i, j) = (i + 1)(j + 1) k(k + 1) / 2. Sizes
// around the blocks of the loops.
TEST(Products, OfAnySize) {
  for (const int k : {0, 1, 7, 8, 9, 31, 32, 33, 70}) {
    const int m = 3;
    const int n = 5;
    std::vector<float> a(m * k), at(k * m), b(k * n), bt(n * k);
    for (int p = 0; p < k; ++p) {
      for (int i = 0; i < m; ++i) a[i * k + p] = at[p * m + i] = static_cast<float>(i + 1);
      for (int j = 0; j < n; ++j) {
        b[p * n + j] = bt[j * k + p] = static_cast<float>((p + 1) * (j + 1));
      }
    }
    std::vector<float> expected(m * n);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        expected[i * n + j] = 0.5f * static_cast<float>((i + 1) * (j + 1) * k * (k + 1));
      }
    }
    std::vector<float> c(m * n), ct(m * n), cb(m * n);
    add_product(m, n, k, a.data(), b.data(), c.data());
    add_product_at(m, n, k, at.data(), b.data(), ct.data());
    add_product_bt(m, n, k, a.data(), bt.data(), cb.data());
    EXPECT_EQ(c, expected) << k;
    EXPECT_EQ(ct, expected) << k;
    EXPECT_EQ(cb, expected) << k;
  }
}

}  // namespace
}  // namespace gradus
