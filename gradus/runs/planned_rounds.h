#pragma once

#include <cstdint>

#include "gradus/core/curriculum.h"

namespace gradus {

/// Estimates how many batches of `batch` sequences make up `steps` input steps if all tasks are
/// equally likely. At least 1. The estimate depends only on the curriculum and the arguments, so
/// that runs with other seeds, and a resumed run, get the same number.
std::uint64_t planned_rounds(const Curriculum& curriculum, std::int64_t steps, std::int64_t batch);

}  // namespace gradus
