// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/report/comparison.h"
#include "gradus/report/groups.h"

namespace gradus::report {

struct ReportOptions {
  std::string title;                ///< if empty, the name of the curriculum
  std::string measure;              ///< if empty, choose_goal() chooses
  std::optional<double> threshold;  ///< in the unit shown
  std::string baseline;             ///< gain or group to compare with; if empty, "uniform"
  std::string command;              ///< that makes this report, for the footer
  bool single_runs = true;          ///< whether the document has a curve of every run
};

/// Everything in a report, computed from runs. Losses are in the unit shown: nats, or bits if some
/// tasks are texts.
struct Report {
  Report() = default;
  Report(Report&&) = default;  // not copyable: a copy's groups would point to the original's runs

  std::vector<RunRecord> runs;
  std::vector<std::string> units;  ///< of each task
  std::string title;
  Grouping grouping;
  std::string baseline;
  Goal goal;
  std::vector<Comparison> table;  ///< one row per group
  std::string finding;            ///< what the table shows, in one sentence
  std::string command;            ///< as in ReportOptions
  bool single_runs = true;        ///< as in ReportOptions
};

/// Throws InputError if the runs cannot be compared. REQUIRES !runs.empty().
Report make_report(std::vector<RunRecord> runs, const ReportOptions& options);

/// The JSON document that the page draws: groups, table, curves and maps. Numbers have five
/// significant digits; unknown values are null. docs/report.md lists the fields.
nlohmann::ordered_json document_of(const Report& report);

}  // namespace gradus::report
