// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus {

/// Reads a run from its folder, as of one moment, even while it is being written; or from a record
/// (record_file.h). Throws InputError if there is no run, or its format is unknown.
RunRecord read_run(const std::filesystem::path& run);

/// The same with only the last evaluation, and without task metrics: fast enough to poll, except
/// for records.
RunRecord read_latest(const std::filesystem::path& run);

/// The events of a run, oldest first. A record has none. Throws like read_run().
std::vector<RunEvent> read_events(const std::filesystem::path& run);

/// Why the run failed last; empty if it never did. Throws like read_run().
std::string last_failure(const std::filesystem::path& run);

}  // namespace gradus
