// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/layout.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gradus/core/error.h"

namespace gradus {
namespace {

const DataSpec kData{{.tokens = 0, .bits = 9, .reals = 1}, {OutputKind::kSigmoid, 9}};

// The paper's repeat-copy network: 10 inputs, 512 cells, 9 outputs.
TEST(ParameterLayout, FillsOneFlatArrayWithNamedSlices) {
  const ParameterLayout layout({kData, 2, 512});
  std::size_t offset = 0;
  for (const Slice& slice : layout.slices()) {
    EXPECT_EQ(slice.offset, offset) << slice.name;
    offset += slice.size();
  }
  EXPECT_EQ(layout.parameters(), offset);
  EXPECT_EQ(offset, (10u + 512 + 1) * 2048 + (512u + 512 + 1) * 2048 + 513u * 9);
  EXPECT_EQ(layout.recurrent(1).name, "lstm1.recurrent");
  EXPECT_EQ(layout.output_weight().rows, 512);
}

TEST(ParameterLayout, RefusesANetworkWithoutLayersOrCells) {
  EXPECT_THROW(ParameterLayout({kData, 0, 4}), InputError);
  EXPECT_THROW(ParameterLayout({kData, 1, 0}), InputError);
}

TEST(InitialWeights, AreUniformInTheRangeWithForgetBiasOne) {
  const ParameterLayout layout({kData, 1, 64});
  const std::vector<double> weights = initial_weights(layout, {}, 3);
  const Slice& recurrent = layout.recurrent(0);
  double squares = 0;
  for (std::size_t i = 0; i < recurrent.size(); ++i) {
    const double weight = weights[recurrent.offset + i];
    ASSERT_LE(std::abs(weight), 1 / 8.0);
    squares += weight * weight;
  }
  // The uniform distribution on +-1/8 has variance 1/192; 16384 draws estimate it to about 1%.
  EXPECT_NEAR(squares / static_cast<double>(recurrent.size()), 1 / 192.0, 0.05 / 192);
  for (int j = 0; j < 256; ++j) {
    EXPECT_EQ(weights[layout.bias(0).offset + j], j >= 64 && j < 128 ? 1.0 : 0.0);
  }
  EXPECT_EQ(weights, initial_weights(layout, {}, 3));
  EXPECT_NE(weights, initial_weights(layout, {}, 4));
}

}  // namespace
}  // namespace gradus
