// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/replay.h"

#include <pybind11/stl.h>

#include "gradus/core/error.h"
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

ReplayRow read_row(py::handle entry, std::size_t number, const std::vector<std::string>& tasks) {
  const std::string row = "row " + std::to_string(number);
  const bool is_list = py::isinstance<py::sequence>(entry) && !py::isinstance<py::str>(entry);
  if (!is_list || py::len(entry) != 3 || !py::isinstance<py::str>(entry[py::int_(0)])) {
    throw InputError(row + " is " + py::repr(entry).cast<std::string>() +
                     ", expected a task's name, its progress and its cost");
  }
  return {find_known("task", entry[py::int_(0)].cast<std::string>(), tasks),
          read_number(row + ": progress", entry[py::int_(1)]),
          read_number(row + ": cost", entry[py::int_(2)])};
}

// `log` is a path, or an iterable of (task name, progress, cost).
ReplayLog read_log(const py::object& log, const std::vector<std::string>& tasks) {
  if (py::isinstance<py::str>(log) || py::hasattr(log, "__fspath__")) {
    const auto path = py::module_::import("os").attr("fspath")(log).cast<std::string>();
    const py::gil_scoped_release release;
    return read_replay_log(path);
  }
  std::vector<ReplayRow> rows;
  for (const py::handle entry : log) rows.push_back(read_row(entry, rows.size() + 1, tasks));
  return {std::move(rows)};
}

Columns replay_all(Syllabus& syllabus, const ReplayLog& log) {
  Columns columns;
  gradus::replay(log, syllabus,
                 [&](const ReplayedRound& round) { columns.add(round, syllabus.probabilities()); });
  return columns;
}

py::dict replay(const py::object& log, py::handle tasks, const std::string& policy, py::handle seed,
                const py::kwargs& arguments) {
  const std::vector<std::string> names = read_tasks(tasks);
  SyllabusSettings settings = read_syllabus_settings(policy, names, to_settings(arguments));
  settings.seed = read_seed(seed);
  const ReplayLog rows = read_log(log, names);
  Syllabus syllabus = make_syllabus(names, for_log(settings, rows));
  const Columns columns = [&] {
    const py::gil_scoped_release release;
    return replay_all(syllabus, rows);
  }();
  py::dict result;
  result["probability"] = columns.probability;
  result["reward"] = columns.reward;
  result["policy"] = columns.policy;
  return result;
}

}  // namespace

void add_replay(py::module_& module) {
  module.def(
      "replay", &replay, py::arg("log"), py::arg("tasks"), py::arg("policy") = "exp3s",
      py::kw_only(), py::arg("seed") = 1,
      "replay(log, tasks, policy='exp3s', *, seed=1, **settings)\n--\n\n"
      "Runs a log of rewards through a policy.\n\n"
      "log is either the path of a CSV file with the header task,progress,cost, in which tasks\n"
      "are numbered from 0, or an iterable of (task name, progress, cost). Returns a dict of\n"
      "lists with one entry per round: \"probability\" of the round's task before the update,\n"
      "its scaled \"reward\", and the \"policy\" after the update, a list in the order of the\n"
      "tasks. With eta=\"auto\", eta is chosen for the length of the log.");
}

}  // namespace gradus::python
