// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/loss_unit.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gradus {
namespace {

using Units = std::vector<std::string>;

TEST(LossUnit, IsNatsUnlessATaskIsAText) {
  EXPECT_EQ(loss_unit(Units{"", ""}).name, "nats per output");
  EXPECT_EQ(loss_unit(Units{"", ""}).per_nat, 1);
  EXPECT_EQ(loss_unit(Units{}, std::nullopt).name, "nats per output");
}

// A fair guess among 8 symbols costs ln 8 nats, which is 3 bits.
TEST(LossUnit, OfTextsIsBitsPerSymbol) {
  EXPECT_EQ(loss_unit(Units{"character", "character"}).name, "bits per character");
  EXPECT_EQ(loss_unit(Units{"word"}).name, "bits per word");
  EXPECT_NEAR(loss_unit(Units{"word"}).per_nat * std::log(8.0), 3, 1e-12);
}

TEST(LossUnit, OfTextsAndAnswersTogetherIsBitsPerOutput) {
  const Units units = {"character", "", "character"};
  EXPECT_EQ(loss_unit(units).name, "bits per output");
  EXPECT_EQ(loss_unit(units, 0).name, "bits per character");
  EXPECT_EQ(loss_unit(units, 1).name, "bits per output");
  EXPECT_EQ(loss_unit(units, std::vector<int>{0, 2}).name, "bits per character");
  EXPECT_EQ(loss_unit(units, std::vector<int>{0, 1}).name, "bits per output");
}

}  // namespace
}  // namespace gradus
