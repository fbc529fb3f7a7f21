// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <csignal>
#include <ctime>

namespace gradus::cli {
namespace {

volatile std::sig_atomic_t flag = 0;
double first = 0;

double seconds_now() {
  std::timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// `timeout` and batch systems signal a process and its group, so one request to stop may arrive as
// two signals. Only a signal two or more seconds after the first ends the program at once.
extern "C" void on_signal(int signal) {
  const double time = seconds_now();
  if (flag == 0) {
    first = time;
    flag = 1;
  } else if (time - first >= 2) {
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

void catch_interrupts() {
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
