// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>

#include <unistd.h>

namespace gradus::cli {
namespace {

volatile std::sig_atomic_t flag = 0;
double first = 0;
// A signal handler may not format text, so the message is made in advance.
char message[300];
int message_size = 0;

double seconds_now() {
  std::timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// `timeout` and batch systems signal a process and its group, so one request to stop may arrive as
// two signals. Only a signal a second or more after the first ends the program at once.
extern "C" void on_signal(int signal) {
  const int error = errno;
  const double time = seconds_now();
  if (flag == 0) {
    first = time;
    flag = 1;
    // If nobody reads the message, there is nothing to do about it.
    [[maybe_unused]] const auto written =
        ::write(STDERR_FILENO, message, static_cast<std::size_t>(message_size));
    errno = error;
  } else if (time - first >= 1) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

// If a signal is ignored at the start, as under nohup or in a script's background, it stays so.
void catch_unless_ignored(int signal, const struct sigaction& action) {
  struct sigaction before = {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts(const char* work) {
  // On a terminal the message replaces the line of progress.
  const bool terminal = isatty(STDERR_FILENO) != 0;
  message_size =
      std::snprintf(message, sizeof message,
                    "%sgradus: interrupted; waiting for %s; Ctrl-C again quits at once%s\n",
                    terminal ? "\r" : "", work, terminal ? "\x1b[K" : "");
  struct sigaction action = {};
  action.sa_handler = on_signal;
  // Block each signal while the other is being handled.
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  catch_unless_ignored(SIGINT, action);
  catch_unless_ignored(SIGTERM, action);
}

bool interrupted() {
  return flag != 0;
}

}  // namespace gradus::cli
