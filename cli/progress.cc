#include "cli/progress.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/numbers.h"

namespace gradus::cli {
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
