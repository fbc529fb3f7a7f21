#include "gradus/runs/replay.h"

#include <pybind11/stl.h>

#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"
#include "python/bindings/bindings.h"
#include "python/bindings/settings.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

struct Columns {
  std::vector<double> probability;
  std::vector<double> reward;
  std::vector<std::vector<double>> policy;

  void add(const ReplayedRound& round, std::vector<double> probabilities) {
    probability.push_back(round.probability);
    reward.push_back(round.reward);
    policy.push_back(std::move(probabilities));
  }
};

using Row = std::tuple<std::string, double, double>;

// `log` is a path, or (task, progress, cost) by name of task.
Columns replay_all(Syllabus& syllabus, const py::object& log) {
  Columns columns;
  const auto replay = [&](const std::string& where, const ReplayRow& row) {
    const ReplayedRound round = replay_row(syllabus, where, row);
    columns.add(round, syllabus.probabilities());
  };
  if (py::isinstance<py::str>(log) || py::hasattr(log, "__fspath__")) {
    const auto path = py::module_::import("os").attr("fspath")(log).cast<std::string>();
    const py::gil_scoped_release release;
    read_replay_log(path, replay);
    return columns;
  }
  std::vector<ReplayRow> rows;
  for (const py::handle entry : log) {
    const auto [task, progress, cost] = entry.cast<Row>();
    rows.push_back({syllabus.task_index(task), progress, cost});
  }
  const py::gil_scoped_release release;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    replay("row " + std::to_string(i + 1) + ": ", rows[i]);
  }
  return columns;
}

py::dict replay(const py::object& log, py::handle tasks, const std::string& policy, py::handle seed,
                const py::kwargs& arguments) {
  const std::vector<std::string> names = read_tasks(tasks);
  const Settings settings = read_settings(policy, names, arguments);
  const std::uint64_t number = read_seed(seed);
  Syllabus syllabus(names, make_policy(policy, static_cast<int>(names.size()), settings.policy),
                    make_quantile_scale(settings.scale, number), number);
  Columns columns = replay_all(syllabus, log);
  py::dict result;
  result["probability"] = std::move(columns.probability);
  result["reward"] = std::move(columns.reward);
  result["policy"] = std::move(columns.policy);
  return result;
}

}  // namespace

void add_replay(py::module_& module) {
  module.def(
      "replay", &replay, py::arg("log"), py::arg("tasks"), py::arg("policy") = "exp3s",
      py::kw_only(), py::arg("seed") = 1,
      "Runs a log of rewards through a policy.\n\n"
      "log is a CSV file with the header task,progress,cost, tasks counted from 0, or an\n"
      "iterable of (task name, progress, cost). Returns columns by round: the probability of\n"
      "the round's task before the update, its scaled reward, and the policy after it, a list\n"
      "in the order of the tasks.");
}

}  // namespace gradus::python
