#include "cli/progress.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gradus::cli {
namespace {

// A line that wraps cannot be rewritten.
std::string fit_terminal(const std::string& line) {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return line;
  return line.substr(0, size.ws_col - 1);
}

std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

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

}  // namespace

Progress::Progress(std::int64_t total_steps, std::int64_t first_step, bool quiet)
    : total_steps_(total_steps),
      first_step_(first_step),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0) {}

bool Progress::due() const {
  const auto pause = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000);
  return !quiet_ && Clock::now() - last_ >= pause;
}

void Progress::show(const Metrics& metrics, std::int64_t steps, double entropy) {
  if (quiet_) return;
  last_ = Clock::now();
  const double seconds = std::chrono::duration<double>(last_ - start_).count();
  const double rate = static_cast<double>(steps - first_step_) / std::max(seconds, 1e-9);
  const bool target = !std::isnan(metrics.target_loss);
  std::string line = fmt::format("{}/{} steps  {} steps/s  {} loss {:.4f}  entropy {:.2f}",
                                 short_number(static_cast<double>(steps)),
                                 short_number(static_cast<double>(total_steps_)),
                                 short_number(rate), target ? "target" : "mean",
                                 target ? metrics.target_loss : metrics.mean_loss, entropy);
  if (steps > first_step_) {
    const auto left = static_cast<double>(std::max<std::int64_t>(total_steps_ - steps, 0));
    line += fmt::format("  {} left", clock_time(left / rate));
  }
  if (terminal_) {
    std::fprintf(stderr, "\r%s\x1b[K", fit_terminal(line).c_str());
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
  open_ = terminal_;
}

void Progress::finish() {
  if (open_) std::fputc('\n', stderr);
  open_ = false;
}

}  // namespace gradus::cli
