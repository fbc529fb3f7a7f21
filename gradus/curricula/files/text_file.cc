// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/text_file.h"

#include <algorithm>
#include <cstdio>

#include "gradus/core/error.h"
#include "gradus/files/utf8.h"

namespace gradus::files {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

void throw_at(const std::string& file, std::size_t line, const std::string& reason) {
  throw InputError(file + ":" + std::to_string(line) + ": " + reason);
}

std::string_view checked_text(std::string_view bytes, const std::string& file) {
  const std::size_t invalid = find_invalid_utf8(bytes);
  if (invalid != std::string_view::npos) {
    const auto line = 1 + std::count(bytes.begin(), bytes.begin() + invalid, '\n');
    char value[8];
    std::snprintf(value, sizeof value, "0x%02x", static_cast<unsigned char>(bytes[invalid]));
    throw_at(file, static_cast<std::size_t>(line), std::string("not UTF-8: byte ") + value);
  }
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  if (bytes.empty()) throw_at(file, 1, "the file is empty");
  return bytes;
}

}  // namespace gradus::files
