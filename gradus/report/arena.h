// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/report/document.h"

namespace gradus::report {

/// Whether a speed-up is above or below 1, by its interval or, if it is a bound, by the bound.
/// kOpen if neither decides.
enum class Verdict { kFaster, kOpen, kSlower };
Verdict verdict_of(const SpeedUp& speed_up);

/// A way to choose tasks, in all columns.
struct ArenaRow {
  std::string arm;   ///< as arm_name() writes it
  std::string gain;  ///< its signal or baseline
  /// For each column, the arm's row of its table; null if the arm has no runs there.
  std::vector<const Comparison*> cells;
  /// The column with the lowest speed-up; none if no speed-up is known.
  std::optional<std::size_t> worst;
  /// Forward passes per training batch that only measure. One on half as many sequences counts 0.5.
  double passes = 0;
  /// Seconds per input step divided by those of the baseline: the geometric mean over columns, of
  /// medians over runs. NaN if unknown.
  double relative_time = 0;

  /// Whether the speed-up is known in every column, and nowhere decidedly below 1 or below 0.95.
  bool is_safe() const;
};

/// Policies and signals compared over many curricula: a report per curriculum, read by column.
struct Arena {
  std::vector<std::string> columns;  ///< column_of() their runs
  std::vector<Report> reports;       ///< one per column
  std::vector<ArenaRow> rows;        ///< without the baseline; the best worst case first
  std::string finding;               ///< which arms are safe, in one sentence
  std::vector<std::string> notes;    ///< which runs were left out, and why
  std::string command;               ///< that makes this arena, for the footer
};

/// The column of a run with these settings, as text by key: the name of the curriculum, or of its
/// variant, such as "needle" of the stress curriculum.
std::string column_of(const std::map<std::string, std::string>& settings);

/// Compares the runs of each curriculum with uniform sampling. Throws InputError if runs of one
/// curriculum cannot be compared. REQUIRES !runs.empty().
Arena make_arena(std::vector<RunRecord> runs, const std::string& command);

/// The JSON document that the page draws; docs/arena.md lists the fields.
nlohmann::ordered_json document_of(const Arena& arena);

/// "pg+exp3s,syllabus.eta=0.01": the gain, the policy unless the gain is a baseline, and the other
/// settings of gain and syllabus that are not the program's defaults.
std::string arm_name(const RunRecord& run);

}  // namespace gradus::report
