// SPDX-License-Identifier: Apache-2.0
#include "cli/numbers.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gradus::cli {
namespace {

std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

}  // namespace

std::string short_number(double value) {
  if (value >= 1e9) return three_digits(value / 1e9) + "G";
  if (value >= 1e6) return three_digits(value / 1e6) + "M";
  if (value >= 1e3) return fmt::format("{:.0f}k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<long>(seconds);
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string fit_terminal(const std::string& line) {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return line;
  return line.substr(0, size.ws_col - 1);
}

}  // namespace gradus::cli
