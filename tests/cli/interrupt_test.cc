// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

namespace gradus::cli {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Raises SIGTERM at 0.9 s of a second of the clock, and again `later`. Exits with 3 if it survives.
[[noreturn]] void stop_twice(milliseconds later) {
  catch_interrupts("the end of the test");
  const auto second = std::chrono::floor<std::chrono::seconds>(Clock::now());
  const auto first = second + milliseconds(1900);
  std::this_thread::sleep_until(first);
  std::raise(SIGTERM);
  std::this_thread::sleep_until(first + later);
  std::raise(SIGTERM);
  std::exit(interrupted() ? 3 : 4);
}

constexpr const char* kMessage =
    "gradus: interrupted; waiting for the end of the test; Ctrl-C again quits at once";

// 0.2 s after 0.9 s, the clock's seconds differ by one although less than one has passed.
TEST(Interrupt, ASecondSignalWithinASecondIsTheSameRequest) {
  EXPECT_EXIT(stop_twice(milliseconds(200)), testing::ExitedWithCode(3), kMessage);
}

TEST(Interrupt, ASecondSignalAfterASecondEndsTheProgram) {
  EXPECT_EXIT(stop_twice(milliseconds(1050)), testing::KilledBySignal(SIGTERM), kMessage);
}

}  // namespace
}  // namespace gradus::cli
