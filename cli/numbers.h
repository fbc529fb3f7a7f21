// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gradus::cli {

/// "900", "12k", "1.10M", "2.00G".
std::string short_number(double value);
/// "0:07", "1:02:03".
std::string clock_time(double seconds);
/// Truncates a line to the width of the terminal on stderr: a line that wraps cannot be rewritten.
std::string fit_terminal(const std::string& line);

}  // namespace gradus::cli
