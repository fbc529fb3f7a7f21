// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/core/batch.h"
#include "gradus/runs/metrics.h"

namespace gradus {

/// Says which loss shows that training has exploded, and what to do; empty if none does. A network
/// that guesses, giving every output the same probability, has a known loss. A loss of more than
/// 100 times that, or one that is not a finite number, comes from weights that make no sense.
std::string explosion(const Metrics& metrics, const OutputSpec& output);

}  // namespace gradus
