#pragma once

#include <filesystem>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus {

/// Reads a stored run; one that is being written too, as it was at one moment. Throws InputError
/// where the folder holds none, or one of another format.
RunRecord read_run(const std::filesystem::path& folder);

/// Only what the last evaluation says, for those who look often.
RunRecord read_latest(const std::filesystem::path& folder);

/// The run folders at or below `folder`, by name. Throws InputError where there is no such folder.
std::vector<std::filesystem::path> find_runs(const std::filesystem::path& folder);

}  // namespace gradus
