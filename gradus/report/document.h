#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/report/comparison.h"
#include "gradus/report/groups.h"

namespace gradus::report {

struct ReportOptions {
  std::string title;                ///< empty: the curriculum's name
  std::string measure;              ///< empty: choose_goal() chooses
  std::optional<double> threshold;  ///< in the unit that is shown
  std::string baseline;             ///< gain or group to compare with; empty: uniform sampling
};

/// Everything that a report says, computed from runs. Losses are in the units that are shown:
/// nats, or bits if there are texts among the tasks.
struct Report {
  Report() = default;
  Report(Report&&) = default;  // a copy's groups would point into the original's runs

  std::vector<RunRecord> runs;
  std::vector<std::string> units;  ///< of the tasks
  std::string title;
  Grouping grouping;
  std::string baseline;
  Goal goal;
  std::vector<Comparison> table;  ///< one row a group
  std::string finding;            ///< what the table shows, in one sentence
};

/// Throws InputError if runs cannot be put in one report. REQUIRES !runs.empty().
Report make_report(std::vector<RunRecord> runs, const ReportOptions& options);

/// What the page draws: groups, table, curves and maps. Numbers have five significant digits, what
/// is not known is null. docs/report.md lists the fields.
nlohmann::ordered_json document_of(const Report& report);

}  // namespace gradus::report
