#pragma once

#include <cstdint>

#include "gradus/core/curriculum.h"

namespace gradus {

/// About how many batches of `batch` sequences `steps` input steps make if all tasks are drawn
/// alike; 1 at least. From a sample of sequences that depends on nothing but the curriculum, so
/// that runs of other seeds, and a run that is resumed, get the same number.
std::uint64_t planned_rounds(const Curriculum& curriculum, std::int64_t steps, std::int64_t batch);

}  // namespace gradus
