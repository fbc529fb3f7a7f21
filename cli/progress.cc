// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/loss_text.h"
#include "cli/numbers.h"

namespace gradus::cli {
namespace {

// The most probable task: "  favours prose (41%)". Empty if all are equally likely.
std::string favourite(const std::vector<std::string>& tasks, const std::vector<double>& policy) {
  const auto [least, most] = std::minmax_element(policy.begin(), policy.end());
  if (*most - *least < 1e-9) return "";
  return fmt::format("  favours {} ({:.0f}%)", tasks[most - policy.begin()], 100 * *most);
}

}  // namespace

Progress::Progress(const Runner& runner, bool quiet)
    : runner_(runner),
      first_step_(runner.steps()),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0) {}

bool Progress::due() const {
  const auto pause = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000);
  return !quiet_ && Clock::now() - last_ >= pause;
}

std::string Progress::line(const Metrics& metrics, double seconds) const {
  const std::int64_t steps = runner_.steps();
  const std::int64_t total = runner_.settings().steps;
  const std::vector<double> policy = runner_.syllabus().probabilities();
  const double rate = static_cast<double>(steps - first_step_) / std::max(seconds, 1e-9);
  const std::string loss =
      loss_text(metrics, loss_unit(runner_.units(), runner_.curriculum().target()));
  std::string line =
      fmt::format("{}/{} steps  {} steps/s", short_number(static_cast<double>(steps)),
                  short_number(static_cast<double>(total)), short_number(rate));
  if (steps > first_step_) {
    const auto left = static_cast<double>(std::max<std::int64_t>(total - steps, 0));
    line += fmt::format("  {} left", clock_time(left / rate));
    line += fmt::format("  training loss {:.4f}", training_loss(metrics));
  }
  return line +
         fmt::format("  {}  moved {:.0f}%", loss.empty() ? "loss nan" : loss,
                     100 * distance_from_uniform(policy)) +
         favourite(runner_.curriculum().tasks(), policy);
}

// Over the batches since the last evaluation, or if there are none, over those before it.
double Progress::training_loss(const Metrics& metrics) const {
  const double loss = runner_.training_loss();
  return (std::isnan(loss) ? metrics.training_loss : loss) * loss_unit(runner_.units()).per_nat;
}

void Progress::show(const Metrics& metrics) {
  if (quiet_) return;
  last_ = Clock::now();
  const std::string line =
      this->line(metrics, std::chrono::duration<double>(last_ - start_).count());
  if (terminal_) {
    std::fprintf(stderr, "\r%s\x1b[K", fit_terminal(line).c_str());
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
  open_ = terminal_;
}

void Progress::finish() {
  // After an interrupt the message about it has ended the line.
  if (open_ && !interrupted()) std::fputc('\n', stderr);
  open_ = false;
}

}  // namespace gradus::cli
