// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "gradus/runs/run_record.h"

namespace gradus {

/// Thins the values of tasks to a coarse grid, which is all that figures show. Keeps the
/// evaluations that measured every task, or all of them if none did. If these are more than 60,
/// keeps every k-th, with the smallest k that leaves at most 60, and the last. A second call does
/// nothing.
void thin_tasks(RunRecord& run);
/// Whether that grid has the evaluation `index` of `count`.
bool is_on_coarse_grid(std::size_t index, std::size_t count);

/// A record: a run in one small file, NAME.jsonl.gz, for version control. It holds all metrics, the
/// values of tasks on a coarse grid, and the settings with the names of files instead of their
/// paths. A report of records is the same page as a report of the run folders that they were made
/// from.
inline constexpr std::string_view kRecordSuffix = ".jsonl.gz";
bool is_record(const std::filesystem::path& file);

/// Atomically writes a record of `run`. Throws std::system_error on failure.
void write_record(RunRecord run, const std::filesystem::path& file);

/// Throws an InputError that names the file if it cannot be read or is not a record.
RunRecord read_record(const std::filesystem::path& file);

}  // namespace gradus
