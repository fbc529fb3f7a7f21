// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gradus/runs/database.h"
#include "gradus/runs/run_record.h"

// Reads the tables of a run's database into a record, for readers that need only part of a run.
// docs/runs.md has the schema.
namespace gradus {

/// The format of the tables, which is stored in them.
inline constexpr const char* kRunFormat = "1";

/// The condition that selects the rows of the last evaluation.
inline constexpr const char* kLastEvaluation = "WHERE steps = (SELECT max(steps) FROM metrics)";

/// Reads what stays the same over the whole run, and the status. Throws InputError if the database
/// contains no run, or its format is unknown. `held`: see read_status().
void read_facts(Database& database, bool held, RunRecord& record);

/// As RunRecord::status: what is stored, except that a run that has neither finished nor failed is
/// running if and only if a process holds its lock. `held` is RunLock::is_held(), asked before the
/// database: a run that ends in between has not stopped.
std::string read_status(Database& database, bool held);

/// As RunRecord::started.
std::int64_t read_started(Database& database);

/// Appends the rows of metrics and timing that `condition` selects by their steps, an SQL clause.
void read_metrics(Database& database, const std::string& condition, RunRecord& record);

/// The values of tasks in the rows that `condition` selects, sorted by steps. Throws InputError if
/// an evaluation does not have a row for each task of the record.
std::vector<TaskMetrics> read_task_metrics(Database& database, const std::string& condition,
                                           const RunRecord& record);

/// The events after the one with the given id, oldest first.
std::vector<RunEvent> read_events(Database& database, std::int64_t after);

}  // namespace gradus
