// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus::files {

/// Throws InputError: `<file>:<line>: <reason>`. Lines count from 1.
[[noreturn]] void throw_at(const std::string& file, std::size_t line, const std::string& reason);

/// Returns `bytes` without a leading byte order mark. Throws InputError naming `file` and the line
/// if the bytes are not UTF-8 or the text is empty.
std::string_view checked_text(std::string_view bytes, const std::string& file);

}  // namespace gradus::files
