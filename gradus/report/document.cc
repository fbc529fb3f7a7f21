// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/document.h"

#include <algorithm>

#include "gradus/report/curves.h"
#include "gradus/report/finding.h"
#include "gradus/report/json.h"
#include "gradus/report/numbers.h"
#include "gradus/report/origin.h"
#include "gradus/report/paper_figures.h"
#include "gradus/report/task_curves.h"
#include "gradus/report/units.h"
#include "gradus/runs/record_file.h"
#include "gradus/runs/run_syllabus.h"

namespace gradus::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kCurvePoints = 300;
constexpr std::size_t kTaskPoints = 61;  // 60 parts, so that a fifth of the steps is a point
constexpr int kBins = 5;

Json spread_json(const Spread& spread) {
  return {{"mean", rounded(spread.mean)}, {"deviation", rounded(spread.deviation)}};
}

Json group_json(const Group& group) {
  Json seeds = Json::array();
  Json status = Json::object();
  std::vector<double> last;
  for (const RunRecord* run : group.runs) {
    seeds.push_back(setting_of(*run, "seed"));
    status[run->status] = status.value(run->status, 0) + 1;
    last.push_back(last_steps(*run));
  }
  return {
      {"name", group.name},
      {"gain", group.gain},
      {"isBaseline", is_baseline(group.gain)},
      {"variant", group.variant},
      {"summary", summary_of(group.gain)},
      {"seeds", seeds},
      {"status", status},
      {"steps",
       {*std::min_element(last.begin(), last.end()), *std::max_element(last.begin(), last.end())}}};
}

Json row_json(const Comparison& row, bool has_threshold) {
  Json json = {{"runs", row.runs},
               {"last", spread_json(row.last)},
               {"baseline", row.baseline},
               {"baselines", row.baselines}};
  if (!has_threshold) return json;
  json["reached"] = row.reached;
  json["steps"] = spread_json(row.steps);
  json["typical"] = rounded(row.typical);
  json["typicalIsBound"] = row.typical_is_bound;
  if (row.speed_up) json["speedUp"] = speed_up_json(*row.speed_up);
  return json;
}

// One number of each point of a curve.
template <typename Point, typename Value>
Json column(const std::vector<Point>& points, Value Point::*value) {
  Json list = Json::array();
  for (const Point& point : points) list.push_back(rounded(static_cast<double>(point.*value)));
  return list;
}

// A single run is its own mean and median.
Json curve_json(const GroupCurve& curve, bool single_runs) {
  Json json = {{"mean", column(curve.spread, &Spread::mean)},
               {"deviation", column(curve.spread, &Spread::deviation)},
               {"n", column(curve.spread, &Spread::n)}};
  if (curve.runs.size() < 2) return json;
  json["median"] = column(curve.quartiles, &Quartiles::median);
  json["low"] = column(curve.quartiles, &Quartiles::low);
  json["high"] = column(curve.quartiles, &Quartiles::high);
  if (!single_runs) return json;
  for (const std::vector<double>& run : curve.runs) json["runs"].push_back(rounded(run));
  return json;
}

bool has_points(const GroupCurve& curve) {
  return std::ranges::any_of(curve.spread, [](const Spread& point) { return point.n > 0; });
}

Json curves_json(const Report& report) {
  const std::vector<Group>& groups = report.grouping.groups;
  const std::vector<double> grid = step_grid(groups, kCurvePoints);
  Json drawn = Json::array();
  for (const Measure& stored : measures()) {
    if (stored.name == "training_loss" && report.goal.measure.name != stored.name) continue;
    const Measure measure = shown(stored, report.units, report.runs.front().target);
    Json curves = Json::array();
    bool known = false;
    for (const Group& group : groups) {
      const GroupCurve curve = group_curve(group, measure.value, grid);
      known = known || has_points(curve);
      curves.push_back(curve_json(curve, report.single_runs));
    }
    if (!known) continue;
    drawn.push_back({{"name", measure.name}, {"label", measure.label}, {"curves", curves}});
  }
  return {{"steps", rounded(grid)}, {"measures", drawn}};
}

// [group][row][time]
Json view_values(const std::vector<Group>& groups, const TaskView& view, TaskValues values,
                 std::span<const double> grid) {
  Json all = Json::array();
  for (const Group& group : groups) {
    Json rows = Json::array();
    for (const TaskRow& row : view.rows) {
      rows.push_back(rounded(task_curve(group, values, row, grid)));
    }
    all.push_back(std::move(rows));
  }
  return all;
}

bool shows(const CurriculumDescription& description, const char* values) {
  return std::ranges::find(description.by_task, values) != description.by_task.end();
}

using PaperFigures = std::map<std::string, PaperFigure>;

// The end of the paper's figure if a figure of this kind redraws it.
std::optional<double> end_of(const PaperFigures& paper, const char* kind) {
  const auto figure = paper.find(kind);
  return figure == paper.end() ? std::nullopt : std::optional(figure->second.steps);
}

Json tasks_json(const Report& report, const CurriculumDescription& description,
                const PaperFigures& paper) {
  const std::vector<Group>& groups = report.grouping.groups;
  const std::vector<double> grid = step_grid(groups, kTaskPoints, end_of(paper, "tasks"));
  Json views = Json::array();
  for (const TaskView& view : task_views(groups)) {
    Json json = {{"label", view.label}, {"ordered", view.ordered}, {"combined", view.combined}};
    for (const TaskRow& row : view.rows) json["rows"].push_back(row.name);
    const auto add = [&](const char* name, TaskValues values) {
      if (is_measured(groups, values)) json[name] = view_values(groups, view, values, grid);
    };
    add("policy", &TaskMetrics::policy);
    if (shows(description, "error")) add("error", &TaskMetrics::error);
    if (shows(description, "loss")) {
      add("loss", &TaskMetrics::loss);
      for (const TaskRow& row : view.rows) {
        json["lossUnits"].push_back(loss_unit(report.units, row.tasks).name);
      }
    }
    views.push_back(std::move(json));
  }
  return {{"steps", rounded(grid)}, {"views", views}};
}

// [group][bin][task]
Json map_values(const std::vector<Group>& groups, TaskValues values, double end) {
  Json all = Json::array();
  for (const Group& group : groups) {
    Json bins = Json::array();
    for (const auto& bin : time_bins(group, values, end, kBins)) bins.push_back(rounded(bin));
    all.push_back(std::move(bins));
  }
  return all;
}

// The maps of figure 3, for tasks that form a grid.
Json maps_json(const Report& report, const std::vector<TaskAxis>& axes, const PaperFigures& paper) {
  if (axes.size() != 2) return nullptr;
  const std::vector<Group>& groups = report.grouping.groups;
  const std::vector<double> grid = step_grid(groups, kTaskPoints, end_of(paper, "maps"));
  if (grid.size() < 2) return nullptr;
  Json json = {{"axes", {axes[0].name, axes[1].name}},
               {"lossUnit", loss_unit(report.units).name},
               {"edges", Json::array()},
               {"cells", Json::array()}};
  for (std::size_t i = 0; i < axes[0].values.size(); ++i) {
    json["cells"].push_back({axes[0].values[i], axes[1].values[i]});
  }
  for (int i = 0; i <= kBins; ++i) json["edges"].push_back(rounded(grid.back() * i / kBins));
  for (const auto& [name, values] :
       {std::pair{"policy", &TaskMetrics::policy}, std::pair{"loss", &TaskMetrics::loss}}) {
    if (is_measured(groups, values)) json[name] = map_values(groups, values, grid.back());
  }
  return json;
}

}  // namespace

Report make_report(std::vector<RunRecord> runs, const ReportOptions& options) {
  Report report;
  report.units = common_units(runs);
  for (RunRecord& run : runs) {
    convert_losses(run, loss_unit(report.units));
    thin_tasks(run);
  }
  report.runs = std::move(runs);
  report.grouping = group_runs(report.runs);
  const std::vector<Group>& groups = report.grouping.groups;
  report.baseline = choose_baseline(groups, options.baseline);
  report.goal = choose_goal(groups, report.baseline, options.measure, options.threshold);
  report.goal.measure = shown(report.goal.measure, report.units, report.runs.front().target);
  report.table = compare(groups, report.baseline, report.goal);
  report.finding = finding(groups, report.table, report.goal);
  report.command = options.command;
  report.single_runs = options.single_runs;
  report.title =
      options.title.empty() ? setting_of(report.runs.front(), "curriculum") : options.title;
  return report;
}

Json document_of(const Report& report) {
  const std::vector<Group>& groups = report.grouping.groups;
  const RunRecord& run = *groups.front().runs.front();
  const PaperFigures paper = paper_figures(groups);
  Json numbers = Json::object();
  for (const auto& [kind, figure] : paper) numbers[kind] = figure.number;
  Json json = {{"title", report.title},
               {"curriculum", setting_of(run, "curriculum")},
               {"curriculumTitle", run.description.title},
               {"paperFigures", numbers},
               {"origin", origin_of(groups)},
               {"command", report.command},
               {"tasks", run.tasks.size()},
               {"target", run.target ? Json(run.tasks.at(*run.target)) : Json()},
               {"finding", report.finding},
               {"notes", report.grouping.notes},
               {"baseline", report.baseline},
               {"goal", goal_json(report.goal)}};
  for (const Group& group : groups) json["groups"].push_back(group_json(group));
  for (const Comparison& row : report.table) {
    json["table"].push_back(row_json(row, report.goal.threshold.has_value()));
  }
  json["curves"] = curves_json(report);
  json["byTask"] = tasks_json(report, run.description, paper);
  json["maps"] = maps_json(report, run.description.axes, paper);
  return json;
}

}  // namespace gradus::report
