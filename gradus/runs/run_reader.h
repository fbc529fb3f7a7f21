#pragma once

#include <filesystem>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus {

/// Reads a stored run as of one moment, even while it is being written. Throws InputError if the
/// folder contains no run, or its format is unknown.
RunRecord read_run(const std::filesystem::path& folder);

/// The same with only the last evaluation, and without task metrics: fast enough to poll.
RunRecord read_latest(const std::filesystem::path& folder);

/// The run folders at or below `folder`, sorted by name. Throws InputError if `folder` is not a
/// folder.
std::vector<std::filesystem::path> find_runs(const std::filesystem::path& folder);

}  // namespace gradus
