// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/loss_text.h"
#include "cli/numbers.h"

namespace gradus::cli {
namespace {

const char* state_name(RunState state) {
  switch (state) {
    case RunState::kWaiting:
      return "waiting";
    case RunState::kRunning:
      return "running";
    case RunState::kElsewhere:
      return "elsewhere";
    case RunState::kStopped:
      return "stopped";
    case RunState::kFinished:
      return "finished";
    case RunState::kFailed:
      return "FAILED";
  }
  return "";
}

double share_done(const RunStatus& run) {
  return std::min(1.0, static_cast<double>(run.steps) / static_cast<double>(run.total_steps));
}

double steps_left(const RunStatus& run) {
  return static_cast<double>(std::max<std::int64_t>(run.total_steps - run.steps, 0));
}

std::string line_of(const RunStatus& run, std::size_t width) {
  if (run.state == RunState::kFailed) {
    return fmt::format("{:<{}}  FAILED: {}", run.name, width, run.message);
  }
  std::string bar(20, '.');
  const auto done = static_cast<std::size_t>(20 * share_done(run));
  std::fill_n(bar.begin(), done, '#');
  std::string line = fmt::format("{:<{}}  {} {:>6}", run.name, width, bar,
                                 short_number(static_cast<double>(run.steps)));
  if (run.state == RunState::kWaiting && run.steps == 0) return line + "  waiting";
  line += "  " + loss_text(run.metrics, run.unit);
  if (!std::isnan(run.moved)) line += fmt::format("  moved {:.0f}%", 100 * run.moved);
  if (!run.warning.empty()) line += "  WARNING: " + run.warning;
  if (run.state != RunState::kRunning) return line + "  " + state_name(run.state);
  if (run.steps_per_second <= 0) return line;
  return line + fmt::format("  {}/s  {} left", short_number(run.steps_per_second),
                            clock_time(steps_left(run) / run.steps_per_second));
}

// Until all runs have ended: the waiting runs keep up the rate of those that run now, and a run
// that is slower than the others ends last.
double seconds_left(const std::vector<RunStatus>& runs, double rate) {
  double steps = 0;
  double slowest = 0;
  for (const RunStatus& run : runs) {
    const bool running = run.state == RunState::kRunning;
    if (running || run.state == RunState::kWaiting) steps += steps_left(run);
    if (running && run.steps_per_second > 0) {
      slowest = std::max(slowest, steps_left(run) / run.steps_per_second);
    }
  }
  return std::max(steps / rate, slowest);
}

std::string summary(const std::vector<RunStatus>& runs) {
  std::string text;
  for (const RunState state : {RunState::kFinished, RunState::kFailed, RunState::kRunning,
                               RunState::kElsewhere, RunState::kStopped, RunState::kWaiting}) {
    const auto count = std::ranges::count(runs, state, &RunStatus::state);
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, state_name(state));
  }
  double rate = 0;
  for (const RunStatus& run : runs) {
    if (run.state == RunState::kRunning) rate += run.steps_per_second;
  }
  if (rate <= 0) return text;
  return text + fmt::format("; {} steps/s and {} left in all", short_number(rate),
                            clock_time(seconds_left(runs, rate)));
}

std::size_t name_width(const std::vector<RunStatus>& runs) {
  std::size_t width = 0;
  for (const RunStatus& run : runs) width = std::max(width, run.name.size());
  return width;
}

std::size_t screen_lines() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 4) return 24;
  return size.ws_row;
}

// The first `count` runs to show if the screen is too small for all: running ones, then failed
// ones, then the others.
std::vector<RunStatus> most_telling(std::vector<RunStatus> runs, std::size_t count) {
  const auto rank = [](const RunStatus& run) {
    return run.state == RunState::kRunning ? 0 : run.state == RunState::kFailed ? 1 : 2;
  };
  std::ranges::stable_sort(runs, {}, rank);
  runs.resize(std::min(runs.size(), count));
  return runs;
}

}  // namespace

SweepTable::SweepTable(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void SweepTable::show(const std::vector<RunStatus>& runs) {
  if (quiet_) return;
  if (!terminal_) return tell_changes(runs);
  const std::size_t rows = screen_lines() - 2;
  const auto shown = runs.size() > rows ? most_telling(runs, rows) : runs;
  std::vector<std::string> lines;
  for (const RunStatus& run : shown) lines.push_back(line_of(run, name_width(runs)));
  lines.push_back(summary(runs));
  redraw(lines);
}

void SweepTable::finish(const std::vector<RunStatus>& runs) {
  if (quiet_) return;
  if (!terminal_) return tell_changes(runs);
  std::vector<std::string> lines;
  for (const RunStatus& run : runs) lines.push_back(line_of(run, name_width(runs)));
  lines.push_back(summary(runs));
  redraw(lines);
}

// Moves the cursor to the start of the table and overwrites it.
void SweepTable::redraw(const std::vector<std::string>& lines) {
  // After an interrupt the message about it is below the table, so draw another table.
  if (interrupted() && !below_message_) lines_shown_ = 0;
  below_message_ = interrupted();
  std::string text;
  if (lines_shown_ > 0) text += fmt::format("\x1b[{}A", lines_shown_);
  for (const std::string& line : lines) text += "\r" + fit_terminal(line) + "\x1b[K\n";
  text += "\x1b[J";
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  lines_shown_ = lines.size();
}

void SweepTable::tell_changes(const std::vector<RunStatus>& runs) {
  last_states_.resize(runs.size(), RunState::kWaiting);
  last_warnings_.resize(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].warning != last_warnings_[i]) {
      fmt::print(stderr, "{}: warning: {}\n", runs[i].name, runs[i].warning);
      last_warnings_[i] = runs[i].warning;
    }
    if (runs[i].state == last_states_[i]) continue;
    last_states_[i] = runs[i].state;
    const std::string loss = loss_text(runs[i].metrics, runs[i].unit);
    fmt::print(stderr, "{}: {}{}\n", runs[i].name,
               runs[i].state == RunState::kFailed ? "FAILED: " + runs[i].message
                                                  : state_name(runs[i].state),
               runs[i].state == RunState::kFinished && !loss.empty() ? ", " + loss : "");
  }
  if (Clock::now() - last_summary_ < std::chrono::seconds(30)) return;
  last_summary_ = Clock::now();
  double done = 0;
  for (const RunStatus& run : runs) done += share_done(run) / static_cast<double>(runs.size());
  fmt::print(stderr, "{:.0f}% done: {}\n", 100 * done, summary(runs));
}

}  // namespace gradus::cli
