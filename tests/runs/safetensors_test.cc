// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/safetensors.h"

#include <cstring>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gradus/core/error.h"

namespace gradus {
namespace {

std::vector<Tensor> examples() {
  return {{"b", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}},
          {"a", {1, 2}, std::vector<double>{0.1, -1e300}},
          {"empty", {0, 4}, std::vector<float>{}},
          {"a \"name\"", {1}, std::vector<float>{-0.0f}}};
}

// Builds a file byte by byte, following the specification of the format.
std::string by_hand(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

TEST(Safetensors, AreReadAsTheyWereWritten) {
  EXPECT_EQ(from_safetensors(to_safetensors(examples(), {{"key", "value"}})), examples());
  EXPECT_EQ(from_safetensors(to_safetensors({})), std::vector<Tensor>{});
}

TEST(Safetensors, LieAsTheFormatSays) {
  const std::string file = to_safetensors({{"x", {2}, std::vector<float>{1, 2}}});
  const std::string header = R"({"x":{"data_offsets":[0,8],"dtype":"F32","shape":[2]}})";
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(file.substr(8, header.size()), header);
  EXPECT_EQ(file.substr(8 + length), std::string("\0\0\x80\x3f\0\0\0\x40", 8));
}

TEST(Safetensors, OfAnotherWriterAreRead) {
  const auto read =
      from_safetensors(by_hand(R"({"y":{"dtype":"F64","shape":[1],"data_offsets":[4,12]},)"
                               R"("x":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                               std::string("\0\0\x80\x3f\0\0\0\0\0\0\0\x40", 12)));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0], (Tensor{"x", {}, std::vector<float>{1}}));
  EXPECT_EQ(read[1], (Tensor{"y", {1}, std::vector<double>{2}}));
}

TEST(Safetensors, ThatAreNoneAreRefused) {
  const std::string four(4, '\0');
  for (const std::string& file :
       {std::string(), std::string("short"), std::string(8, '\xff'), by_hand("[]", ""),
        by_hand("{", ""), by_hand(R"({"x":3})", ""),
        by_hand(R"({"x":{"dtype":"F32","shape":[1]}})", four),
        by_hand(R"({"x":{"dtype":"I8","shape":[4],"data_offsets":[0,4]}})", four),
        by_hand(R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", four),
        by_hand(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", four),
        by_hand(R"({"x":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", four),
        by_hand(R"({"x":{"dtype":"F32","shape":[1e300],"data_offsets":[0,4]}})", four),
        by_hand(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", four),
        by_hand(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", four),
        by_hand(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", four + four),
        by_hand(R"({"x":{"dtype":"F32","shape":[4611686018427387904,16],"data_offsets":[0,0]}})",
                ""),
        by_hand(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                R"("y":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                four)}) {
    EXPECT_THROW(from_safetensors(file), InputError) << file;
  }
}

// A damaged file is either refused or read; it never crashes the reader.
RC_GTEST_PROP(Safetensors, SurviveAnyDamage, ()) {
  std::string file = to_safetensors(examples());
  const auto flips = *rc::gen::inRange(1, 4);
  for (int i = 0; i < flips; ++i) {
    file[*rc::gen::inRange<std::size_t>(0, file.size())] = *rc::gen::arbitrary<char>();
  }
  file.resize(*rc::gen::inRange<std::size_t>(0, file.size() + 1));
  try {
    from_safetensors(file);
  } catch (const InputError&) {
  }
}

}  // namespace
}  // namespace gradus
