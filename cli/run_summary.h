// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "gradus/runs/find_runs.h"

namespace gradus::cli {

/// "repeat-copy, pg, seed 1".
std::string what(const RunRecord& run);
/// "1.20M of 10.0M steps (12%)".
std::string how_far(const FoundRun& found);
/// "2026-11-18 02:30", in UTC.
std::string start_time(const RunRecord& run);

/// The same and the latest metrics, for --json. Unknown numbers are null.
nlohmann::ordered_json summary_json(const FoundRun& found);

}  // namespace gradus::cli
