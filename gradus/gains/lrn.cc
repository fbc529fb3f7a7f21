// SPDX-License-Identifier: Apache-2.0
// Learnability: largest for tasks that the network gets right half of the time, and 0 for tasks
// that it always or never solves (Rutherford et al. 2024, arXiv 2408.15099; Tzannetos et al. 2023,
// arXiv 2304.12877). It is the variance of an answer. Guessing looks learnable: if noise has few
// possible answers, some guesses are right.
//
//   LRN = p (1 - p),   p = share of the answers of x that theta gets right

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_lrn(const GainSettings&) {
  return measured_gain("lrn", {.answers_right = true}, [](const Measurements& m) {
    return m.answers_right * (1 - m.answers_right);
  });
}

}  // namespace gradus
