// SPDX-License-Identifier: Apache-2.0
// The native engine: trains runs in their folders and reads stored runs.

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "gradus/core/error.h"
#include "gradus/runs/find_runs.h"
#include "gradus/runs/run_reader.h"
#include "gradus/runs/training.h"
#include "python/bindings/bindings.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

using std::filesystem::path;

py::object or_none(double value) {
  return std::isnan(value) ? py::object(py::none()) : py::object(py::float_(value));
}

py::list or_none(const std::vector<double>& values) {
  py::list list(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) list[i] = or_none(values[i]);
  return list;
}

py::dict metrics_dict(const Metrics& metrics) {
  py::dict dict;
  dict["steps"] = metrics.steps;
  dict["rounds"] = metrics.rounds;
  dict["refused"] = metrics.refused;
  for (const MetricField& field : metric_fields()) {
    dict[py::str(field.name)] = or_none(metrics.*field.value);
  }
  return dict;
}

// A training run and the warnings it gave. The destructor saves unsaved work,
// because Ctrl-C may interrupt the user's own code between two evaluations.
struct PyTraining {
  std::unique_ptr<Training> training;
  std::vector<std::string> warnings;
  bool unsaved = false;

  PyTraining() = default;
  PyTraining(const PyTraining&) = delete;
  PyTraining& operator=(const PyTraining&) = delete;
  ~PyTraining() {
    try {
      if (unsaved) training->stop();
    } catch (const std::exception&) {
      // The previous checkpoint remains, and a destructor cannot report the error.
    }
  }

  void stop() {
    training->stop();
    unsaved = false;
  }
};

TrainingOptions options_for(PyTraining& run, int threads) {
  if (threads < 1) {
    throw InputError("threads is " + std::to_string(threads) + ", expected 1 or more");
  }
  TrainingOptions options;
  options.threads = threads;
  options.note = [&run](const std::string& note) { run.warnings.push_back(note); };
  return options;
}

// `say` refers to `run`, which owns the training that calls it.
std::unique_ptr<PyTraining> start(const std::optional<path>& config,
                                  const std::vector<std::string>& assignments,
                                  const std::optional<path>& folder, int threads) {
  const py::gil_scoped_release release;
  const RunSettings settings = make_settings(config.value_or(path()), assignments);
  auto run = std::make_unique<PyTraining>();
  run->training = Training::start(settings, folder ? *folder : free_run_folder(settings),
                                  options_for(*run, threads));
  return run;
}

std::unique_ptr<PyTraining> resume(const path& folder, int threads) {
  const py::gil_scoped_release release;
  auto run = std::make_unique<PyTraining>();
  run->training = Training::resume(folder, options_for(*run, threads));
  return run;
}

// Trains until the next evaluation. On Ctrl-C, saves the run before raising KeyboardInterrupt.
py::dict next(PyTraining& run) {
  Training& training = *run.training;
  try {
    while (!training.finished()) {
      bool evaluated = false;
      run.unsaved = true;
      {
        const py::gil_scoped_release release;
        evaluated = training.advance();
      }
      if (training.finished()) run.unsaved = false;
      if (PyErr_CheckSignals() != 0) {
        py::error_already_set interrupt;
        if (run.unsaved) run.stop();
        throw interrupt;
      }
      if (evaluated) return metrics_dict(training.metrics());
    }
  } catch (const py::error_already_set&) {
    throw;
  } catch (const std::exception& error) {
    run.unsaved = false;
    training.fail(error.what());
    throw;
  }
  throw py::stop_iteration();
}

template <typename Row>
py::list column(const std::vector<Row>& rows, double Row::*field) {
  py::list list(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) list[i] = or_none(rows[i].*field);
  return list;
}

py::dict metric_columns(const RunRecord& run) {
  py::list steps;
  py::list rounds;
  py::list refused;
  for (const Metrics& metrics : run.metrics) {
    steps.append(metrics.steps);
    rounds.append(metrics.rounds);
    refused.append(metrics.refused);
  }
  py::dict columns;
  columns["steps"] = steps;
  columns["rounds"] = rounds;
  columns["refused"] = refused;
  for (const MetricField& field : metric_fields()) {
    columns[py::str(field.name)] = column(run.metrics, field.value);
  }
  columns["seconds"] = column(run.timing, &Timing::seconds);
  columns["steps_per_second"] = column(run.timing, &Timing::steps_per_second);
  return columns;
}

py::dict task_columns(const RunRecord& run) {
  py::list steps;
  py::list policy;
  py::list loss;
  py::list error;
  for (const TaskMetrics& metrics : run.task_metrics) {
    steps.append(metrics.steps);
    policy.append(or_none(metrics.policy));
    loss.append(or_none(metrics.loss));
    error.append(or_none(metrics.error));
  }
  py::dict columns;
  columns["steps"] = steps;
  columns["policy"] = policy;
  columns["loss"] = loss;
  columns["error"] = error;
  return columns;
}

py::dict read(const path& folder) {
  const RunRecord run = read_run(folder);
  py::dict dict;
  dict["folder"] = run.folder.string();
  dict["version"] = run.version;
  dict["status"] = run.status;
  dict["settings"] = run.settings;
  dict["tasks"] = run.tasks;
  dict["target"] = run.target ? py::object(py::str(run.tasks[*run.target])) : py::none();
  dict["metrics"] = metric_columns(run);
  dict["task_metrics"] = task_columns(run);
  return dict;
}

}  // namespace

void add_runs(py::module_& module) {
  py::class_<PyTraining>(
      module, "Training",
      "A training run in its folder. Iterating trains it and yields the metrics of each "
      "evaluation.\n\nTraining releases the GIL, so other Python threads keep running. Ctrl-C "
      "saves the run and raises\nKeyboardInterrupt; gradus.resume continues it. The run is also "
      "saved when the object is deleted.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", &next)
      .def_property_readonly(
          "folder", [](const PyTraining& run) { return run.training->folder().string(); },
          "The run's folder.")
      .def_property_readonly(
          "tasks",
          [](const PyTraining& run) { return run.training->runner().curriculum().tasks(); },
          "The names of the tasks.")
      .def_property_readonly(
          "steps", [](const PyTraining& run) { return run.training->runner().steps(); },
          "Number of input steps trained on so far.")
      .def_property_readonly(
          "finished", [](const PyTraining& run) { return run.training->finished(); },
          "Whether the run is finished.")
      .def_readonly("warnings", &PyTraining::warnings, "Warnings so far.")
      .def("stop", &PyTraining::stop,
           "stop(self)\n--\n\n"
           "Saves the run and marks it as stopped; gradus.resume continues it.",
           py::call_guard<py::gil_scoped_release>());
  module.def("start_training", &start, py::arg("config"), py::arg("assignments"), py::arg("folder"),
             py::arg("threads"));
  module.def("resume_training", &resume, py::arg("folder"), py::arg("threads"));
  module.def("read_run", &read, py::arg("folder"));
  module.def(
      "find_runs",
      [](const path& folder) {
        std::vector<std::string> found;
        for (const path& run : find_runs(folder)) found.push_back(run.string());
        return found;
      },
      py::arg("folder"),
      "find_runs(folder)\n--\n\nReturns the run folders at or below `folder`, sorted by name.");
}

}  // namespace gradus::python
