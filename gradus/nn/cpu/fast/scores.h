// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gradus/core/batch.h"
#include "gradus/nn/cpu/fast/panels.h"

namespace gradus::fast {

/// Scores rows of logits against their targets: losses[n] in nats, wrong[n] 0 or 1. Losses are
/// computed in double, because prediction gain is a small difference of two losses. If
/// `gradient_scale` is not 0, replaces the logits by gradient_scale * (p - y) and the columns
/// beyond the outputs by 0.
void score_rows(const OutputSpec& output, int rows, const std::uint32_t* targets,
                float gradient_scale, const Panels<float>& logits, double* losses,
                std::uint8_t* wrong);

}  // namespace gradus::fast
