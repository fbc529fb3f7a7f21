// SPDX-License-Identifier: Apache-2.0
// The step size of exp3s and exp3 for N tasks and T rounds:
//
//   eta = min(2 sqrt(ln N / (N T)), 0.2 / N)
//
// The first term. A difference d between the rewards of two tasks moves their weights apart by eta
// d per round. Noise moves a weight by about eta sqrt(N T) in total, since a task that is drawn
// with probability 1/N gets its reward times N. The bound on Exp3's regret balances the two:
//
//   ln N / eta + eta N T E[r^2] / 2        (Auer et al. 2002)
//
// which is smallest at sqrt(2 ln N / (N T E[r^2])). The reward scale makes a fifth of the rewards
// -1 and a fifth 1. If the rest are spread evenly between, E[r^2] = 0.6 and the factor is 1.8. It
// is rounded up because the best task changes as the network learns.
//
// The second term. A reward of 1 multiplies the share s of its task by exp(eta / pi), with
// pi = (1 - eps) s + eps / N. The new share increases with s for every s if and only if
// eta <= 4 eps / N, here with the default eps = 0.05. With a larger eta, one lucky reward lifts a
// task with almost no share above tasks that have some, and under pure noise one task after another
// takes all the probability. This term is the smaller one if T < 100 N ln N.
//
// A single task counts as two, because another may be added.

#include <algorithm>
#include <cmath>

#include "gradus/policies/policies.h"

namespace gradus {

double automatic_eta(int tasks, std::uint64_t rounds) {
  const double n = std::max(tasks, 2);
  const auto t = static_cast<double>(rounds);
  return std::min(2 * std::sqrt(std::log(n) / (n * t)), 0.2 / n);
}

}  // namespace gradus
