// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/torch_names.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/nn/layout.h"

namespace gradus {
namespace {

using ::testing::ElementsAre;

// One cell that reads two inputs and has three outputs. The numbers tell the place.
std::vector<Tensor> small_network(const std::string& prefix) {
  return {{prefix + "lstm0.input", {2, 4}, std::vector<float>{1, 2, 3, 4, 11, 12, 13, 14}},
          {prefix + "lstm0.recurrent", {1, 4}, std::vector<float>{21, 22, 23, 24}},
          {prefix + "lstm0.bias", {1, 4}, std::vector<float>{-0.0f, 32, 33, 34}},
          {prefix + "output.weight", {1, 3}, std::vector<float>{41, 42, 43}},
          {prefix + "output.bias", {1, 3}, std::vector<float>{51, 52, 53}}};
}

TEST(TorchNames, AreThoseOfAnLstmWithTransposedMatricesAndASecondBias) {
  for (const char* prefix : {"", "mean."}) {
    const std::vector<Tensor> torch = to_torch(small_network(prefix));
    EXPECT_THAT(
        torch,
        ElementsAre(Tensor{"weight_ih_l0", {4, 2}, std::vector<float>{1, 11, 2, 12, 3, 13, 4, 14}},
                    Tensor{"weight_hh_l0", {4, 1}, std::vector<float>{21, 22, 23, 24}},
                    Tensor{"bias_ih_l0", {4}, std::vector<float>{-0.0f, 32, 33, 34}},
                    Tensor{"bias_hh_l0", {4}, std::vector<float>{0, 0, 0, 0}},
                    Tensor{"output.weight", {3, 1}, std::vector<float>{41, 42, 43}},
                    Tensor{"output.bias", {3}, std::vector<float>{51, 52, 53}}));
    const std::vector<Tensor> back = from_torch(torch);
    EXPECT_EQ(back, small_network(""));
    EXPECT_TRUE(std::signbit(std::get<std::vector<float>>(back[2].values)[0]));
  }
}

TEST(TorchNames, OfSeveralLayersComeBackInTheirOrder) {
  const ParameterLayout layout({{{.tokens = 3}, {OutputKind::kSoftmax, 5}}, 12, 2});
  std::vector<Tensor> network;
  for (const Slice& slice : layout.slices()) {
    const std::vector<double> values(slice.size(), static_cast<double>(slice.offset));
    network.push_back({slice.name, {slice.rows, slice.columns}, values});
  }
  std::vector<Tensor> torch = to_torch(network);
  std::ranges::reverse(torch);
  EXPECT_EQ(from_torch(torch), network);
}

TEST(TorchNames, TellTheNetworkFromTheRestOfALearner) {
  for (const char* prefix : {"", "mean."}) {
    std::vector<Tensor> tensors = small_network(prefix);
    for (const char* name : {"width.lstm0.input", "prior.mean", "optimiser.mean.output.bias"}) {
      tensors.push_back({name, {0}, std::vector<float>{}});
    }
    EXPECT_EQ(network_size(tensors), 5u);
  }
  EXPECT_EQ(network_size({}), 0u);
}

TEST(TorchNames, ThatAreNotThoseOfANetworkAreRefused) {
  const std::vector<Tensor> whole = to_torch(small_network(""));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<Tensor> changed = whole;
    changed[i].name += "x";
    EXPECT_THROW(from_torch(changed), InputError) << i;
    changed = whole;
    changed[i].shape.push_back(1);
    EXPECT_THROW(from_torch(changed), InputError) << i;
  }
  std::vector<Tensor> more = whole;
  more.push_back({"bias_ih_l1", {4}, std::vector<float>(4)});
  EXPECT_THROW(from_torch(more), InputError);
  std::vector<Tensor> biased = whole;
  std::get<std::vector<float>>(biased[3].values)[2] = 1;
  EXPECT_THROW(from_torch(biased), InputError);
}

}  // namespace
}  // namespace gradus
