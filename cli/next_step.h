// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/runs/run_record.h"

namespace gradus::cli {

/// `word` as a shell reads it, in quotes if needed.
std::string quoted(const std::string& word);

/// The command that makes the report of a run or a sweep, or exports it if this build has none.
std::string report_command(const std::string& folder);
/// The command to type next: gradus resume if it can continue the run, else the report.
std::string next_command(const RunRecord& run);
/// Tells the user where a finished run or sweep is and what to do with it.
std::string next_step(const std::string& folder);

}  // namespace gradus::cli
