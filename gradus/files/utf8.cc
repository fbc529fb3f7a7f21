// SPDX-License-Identifier: Apache-2.0
#include "gradus/files/utf8.h"

#include <algorithm>

namespace gradus {
namespace {

// The length of a code point and the range of its second byte, given its first byte.
struct Form {
  std::size_t bytes;
  unsigned char second_low;
  unsigned char second_high;
};

Form form_of(unsigned char first) {
  if (first < 0x80) return {1, 0, 0};
  if (first >= 0xc2 && first <= 0xdf) return {2, 0x80, 0xbf};
  if (first == 0xe0) return {3, 0xa0, 0xbf};
  if (first == 0xed) return {3, 0x80, 0x9f};
  if (first >= 0xe1 && first <= 0xef) return {3, 0x80, 0xbf};
  if (first == 0xf0) return {4, 0x90, 0xbf};
  if (first >= 0xf1 && first <= 0xf3) return {4, 0x80, 0xbf};
  if (first == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

}  // namespace

std::size_t code_point_bytes(std::string_view text) {
  if (text.empty()) return 0;
  const Form form = form_of(static_cast<unsigned char>(text[0]));
  if (form.bytes <= 1) return form.bytes;
  if (text.size() < form.bytes) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  if (second < form.second_low || second > form.second_high) return 0;
  const std::string_view rest = text.substr(2, form.bytes - 2);
  return std::all_of(rest.begin(), rest.end(), continues) ? form.bytes : 0;
}

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t bytes = code_point_bytes(text.substr(at));
    if (bytes == 0) return at;
    at += bytes;
  }
  return std::string_view::npos;
}

char32_t first_code_point(std::string_view text) {
  const std::size_t bytes = code_point_bytes(text);
  const auto first = static_cast<unsigned char>(text[0]);
  if (bytes <= 1) return first;
  char32_t code_point = first & (0x7fu >> bytes);
  for (const char byte : text.substr(1, bytes - 1)) {
    code_point = code_point << 6 | (static_cast<unsigned char>(byte) & 0x3fu);
  }
  return code_point;
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto tail = [&](int shift) {
    text += static_cast<char>(0x80u | (code_point >> shift & 0x3fu));
  };
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += static_cast<char>(0xc0u | code_point >> 6);
    tail(0);
  } else if (code_point < 0x10000) {
    text += static_cast<char>(0xe0u | code_point >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xf0u | code_point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !continues(byte); }));
}

}  // namespace gradus
