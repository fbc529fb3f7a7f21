// SPDX-License-Identifier: Apache-2.0
#include "gradus/files/utf8.h"

#include <string>

#include <gtest/gtest.h>

namespace gradus {
namespace {

TEST(Utf8, FindsTheFirstIllFormedCharacter) {
  EXPECT_EQ(find_invalid_utf8(""), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("a\u00e9\u20ac\U0001f600z"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("ab\x80"), 2u);            // a lone continuation
  EXPECT_EQ(find_invalid_utf8("\xc0\xaf"), 0u);          // overlong
  EXPECT_EQ(find_invalid_utf8("a\xe0\x9f\xbf"), 1u);     // overlong
  EXPECT_EQ(find_invalid_utf8("\xf0\x8f\xbf\xbf"), 0u);  // overlong
  EXPECT_EQ(find_invalid_utf8("\xed\xa0\x80"), 0u);      // a surrogate
  EXPECT_EQ(find_invalid_utf8("\xf4\x90\x80\x80"), 0u);  // above U+10FFFF
  EXPECT_EQ(find_invalid_utf8("abc\xe2\x82"), 3u);       // truncated
  EXPECT_EQ(find_invalid_utf8("\xe2\x28\xa1"), 0u);      // no continuation
  EXPECT_EQ(find_invalid_utf8("\xff"), 0u);
}

TEST(Utf8, WritesAndReadsEveryLengthOfCodePoint) {
  for (const char32_t code_point :
       {U'a', U'\u00e9', U'\u07ff', U'\u20ac', U'\U0001f600', U'\U0010ffff'}) {
    std::string text;
    append_utf8(text, code_point);
    EXPECT_EQ(code_point_bytes(text), text.size());
    EXPECT_EQ(first_code_point(text), code_point);
  }
  EXPECT_EQ(count_code_points("a\u00e9\u20ac\U0001f600"), 4u);
}

}  // namespace
}  // namespace gradus
