// SPDX-License-Identifier: Apache-2.0
// A syllabus around a training loop of one's own. The model estimates the mean of two streams of
// numbers. There is something to learn from the first; the second has mean 0, the initial estimate,
// and is mostly noise.

#include <cstdio>
#include <random>
#include <vector>

#include "gradus/gradus.h"

namespace {

constexpr int kRounds = 200;

double squared(double x) {
  return x * x;
}

}  // namespace

int main() {
  using Normal = std::normal_distribution<double>;
  std::vector<Normal> streams = {Normal(5.0, 0.5), Normal(0.0, 2.0)};
  std::vector<double> estimates = {0.0, 0.0};
  std::mt19937 random(1);

  gradus::Syllabus syllabus = gradus::make_syllabus({"signal", "noise"}, {.rounds = kRounds});
  for (int round = 0; round < kRounds; ++round) {
    const gradus::Ticket ticket = syllabus.draw();
    double& estimate = estimates[ticket.task];
    const double sample = streams[ticket.task](random);
    const double probe = streams[ticket.task](random);  // not trained on: self-prediction gain
    const double before = squared(probe - estimate);
    estimate += 0.01 * (sample - estimate);
    syllabus.reward(ticket, before - squared(probe - estimate), 1);
  }

  for (int task = 0; task < 2; ++task) {
    std::printf("%s: estimate %.2f, probability %.2f\n", syllabus.tasks()[task].c_str(),
                estimates[task], syllabus.probability(task));
  }
}
