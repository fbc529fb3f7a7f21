// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gradus::cli {

/// Prints a warning on stderr.
void warn(const std::string& message);

/// Writes `text` to standard output at once. Throws std::runtime_error if it cannot.
void write_now(const std::string& text);

/// The message after standard output could not be written, with the reason from errno.
std::string output_failure();

}  // namespace gradus::cli
