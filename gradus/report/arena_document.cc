// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/arena.h"
#include "gradus/report/json.h"
#include "gradus/report/numbers.h"
#include "gradus/report/origin.h"

namespace gradus::report {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Verdict verdict) {
  return verdict == Verdict::kFaster ? "faster" : verdict == Verdict::kSlower ? "slower" : "open";
}

Json column_json(const std::string& name, const Report& report) {
  const RunRecord& run = report.runs.front();
  return {{"name", name},
          {"curriculum", run.description.title},
          {"tasks", run.tasks.size()},
          {"goal", goal_json(report.goal)}};
}

Json cell_json(const Comparison* cell) {
  if (!cell) return nullptr;
  Json json = {{"runs", cell->runs}, {"reached", cell->reached}};
  if (!cell->speed_up) return json;
  json["verdict"] = name_of(verdict_of(*cell->speed_up));
  json["speedUp"] = speed_up_json(*cell->speed_up);
  return json;
}

Json row_json(const ArenaRow& row) {
  Json json = {{"arm", row.arm},        {"summary", summary_of(row.gain)},
               {"safe", row.is_safe()}, {"worst", row.worst ? Json(*row.worst) : Json()},
               {"passes", row.passes},  {"seconds", rounded(row.relative_time)},
               {"cells", Json::array()}};
  for (const Comparison* cell : row.cells) json["cells"].push_back(cell_json(cell));
  return json;
}

// The versions, days and shared settings of all runs.
Json origin_json(const Arena& arena) {
  std::vector<Group> groups;
  for (const Report& report : arena.reports) {
    groups.insert(groups.end(), report.grouping.groups.begin(), report.grouping.groups.end());
  }
  return origin_of(groups);
}

}  // namespace

Json document_of(const Arena& arena) {
  Json json = {{"title", "Arena"},         {"arena", true},
               {"finding", arena.finding}, {"origin", origin_json(arena)},
               {"command", arena.command}, {"notes", arena.notes},
               {"columns", Json::array()}, {"rows", Json::array()}};
  for (std::size_t i = 0; i < arena.columns.size(); ++i) {
    json["columns"].push_back(column_json(arena.columns[i], arena.reports[i]));
  }
  for (const ArenaRow& row : arena.rows) json["rows"].push_back(row_json(row));
  return json;
}

}  // namespace gradus::report
