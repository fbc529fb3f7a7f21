#pragma once

#include <filesystem>

#include "gradus/runs/settings.h"

namespace gradus {

/// The default folder of a run: runs/CURRICULUM-GAIN-SEED, or the first of the same name with .2,
/// .3, ... appended that does not exist.
std::filesystem::path free_run_folder(const RunSettings& settings);

}  // namespace gradus
