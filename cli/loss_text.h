// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/runs/loss_unit.h"
#include "gradus/runs/metrics.h"

namespace gradus::cli {

/// The loss of an evaluation, for a line of progress: "target loss 0.1234", or "mean 2.1345
/// bits/character" if the tasks are texts. Empty if nothing was evaluated.
std::string loss_text(const Metrics& metrics, const LossUnit& unit);

}  // namespace gradus::cli
