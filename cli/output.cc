// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

namespace gradus::cli {

void warn(const std::string& message) {
  fmt::print(stderr, "gradus: warning: {}\n", message);
}

void write_now(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return;
  }
  throw std::runtime_error(output_failure());
}

std::string output_failure() {
  return std::string("cannot write to standard output: ") + std::strerror(errno);
}

}  // namespace gradus::cli
