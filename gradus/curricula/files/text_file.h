#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus::files {

/// Throws InputError: `<file>:<line>: <reason>`. Lines count from 1.
[[noreturn]] void throw_at(const std::string& file, std::size_t line, const std::string& reason);

/// The content of a file. Throws InputError where it cannot be read.
std::string read_file(const std::string& path);

/// `bytes` as the text that readers work on: without the byte order mark, where one comes first.
/// Throws InputError at the place in `file` where it is not UTF-8, or where it is empty.
std::string_view checked_text(std::string_view bytes, const std::string& file);

}  // namespace gradus::files
