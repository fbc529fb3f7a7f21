#include "cli/progress.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace gradus::cli {
namespace {

std::string short_number(double value) {
  if (value >= 1e9) return fmt::format("{:.2f}G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.2f}M", value / 1e6);
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

Progress::Progress(std::int64_t total_steps, bool quiet)
    : total_steps_(total_steps), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(const Metrics& metrics, std::int64_t steps, double entropy, bool important) {
  if (quiet_) return;
  const auto now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000);
  if (now - last_ < pause && !(important && steps >= total_steps_)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(steps) / std::max(seconds, 1e-9);
  const bool target = !std::isnan(metrics.target_loss);
  std::string line = fmt::format(
      "{}/{} steps ({:.0f}%)  {} steps/s  {} loss {:.4f}  entropy {:.2f}",
      short_number(static_cast<double>(steps)), short_number(static_cast<double>(total_steps_)),
      100.0 * static_cast<double>(std::min(steps, total_steps_)) /
          static_cast<double>(total_steps_),
      short_number(rate), target ? "target" : "mean",
      target ? metrics.target_loss : metrics.mean_loss, entropy);
  if (steps > 0) {
    const auto left = static_cast<double>(std::max<std::int64_t>(total_steps_ - steps, 0));
    line += fmt::format("  {} left", clock_time(left / rate));
  }
  std::fprintf(stderr, terminal_ ? "\r%s\x1b[K" : "%s\n", line.c_str());
  std::fflush(stderr);
}

void Progress::finish() {
  if (!quiet_ && terminal_) std::fputc('\n', stderr);
}

}  // namespace gradus::cli
