#pragma once

#include <filesystem>

#include "gradus/runs/settings.h"

namespace gradus {

/// A folder for a run that was given none: the first of runs/CURRICULUM-GAIN-SEED, then with .2, .3
/// and so on behind, that is free.
std::filesystem::path free_run_folder(const RunSettings& settings);

}  // namespace gradus
