// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus {

/// Reads a run from its folder, as of one moment, even while it is being written; or from a record
/// (record_file.h). Throws InputError if there is no run, or its format is unknown.
RunRecord read_run(const std::filesystem::path& run);

/// The same with only the last evaluation, and without task metrics: fast enough to poll.
RunRecord read_latest(const std::filesystem::path& folder);

/// The run folders and records at or below `folder`, sorted by name. Throws InputError if `folder`
/// is neither a folder nor a record.
std::vector<std::filesystem::path> find_runs(const std::filesystem::path& folder);

}  // namespace gradus
