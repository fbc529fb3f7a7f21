// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gradus/policies/prior.h"

namespace gradus {

/// The tasks of the largest upper confidence bound, for ducb and swucb (Garivier & Moulines 2008,
/// arXiv 0805.3415). Task i has earned N_i rewards that sum to S_i:
///
///   index_i = S_i / N_i + B sqrt(xi log n N pi_0(i) / N_i),    n = sum of N, but at least 1
///
/// Rewards are in [-1, 1], so B = 2, and xi = 1/2. N pi_0(i) is 1 for a uniform prior; otherwise it
/// makes draws proportional to the prior if all rewards are the same. The index of a task without
/// rewards is infinite. Returns 1 for the tasks with the largest index, which share the probability
/// that is not for exploration, and 0 for the others.
std::vector<double> largest_index(std::span<const double> counts, std::span<const double> sums,
                                  const Prior& prior);

/// Throws InputError unless epsilon is above 0 and at most 1: without exploration, a policy that
/// follows the largest index would never draw the other tasks.
void check_exploration(double epsilon);

}  // namespace gradus
