// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gradus/report/comparison.h"

namespace gradus::report {

/// What the table shows, as one sentence: how much faster or slower each group reaches the goal
/// than the baseline, and which groups never reach it. For few groups it has the intervals and
/// numbers of seeds too. It begins with "Nothing can be concluded yet" if no comparison is decided.
/// REQUIRES one row per group.
std::string finding(const std::vector<Group>& groups, const std::vector<Comparison>& rows,
                    const Goal& goal);

}  // namespace gradus::report
