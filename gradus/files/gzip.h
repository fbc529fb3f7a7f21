// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gradus {

/// Compresses `bytes` as gzip. The result depends on nothing else: it has no name and no time.
std::string gzip(std::string_view bytes);

/// Decompresses a gzip file's bytes. Throws InputError if they are damaged, or if the content is
/// larger than `most` bytes; the message calls them `name`.
std::string gunzip(std::string_view bytes, const std::string& name, std::size_t most);

}  // namespace gradus
