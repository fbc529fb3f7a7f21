// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gradus/core/curriculum.h"
#include "gradus/core/gain.h"
#include "gradus/runs/settings.h"

namespace gradus {

/// Makes the gain of a run, or returns null for a baseline. Throws InputError if the gain cannot be
/// measured on the curriculum.
std::unique_ptr<Gain> make_run_gain(const RunSettings& settings, const Curriculum& curriculum);

}  // namespace gradus
