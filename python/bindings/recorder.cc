// SPDX-License-Identifier: Apache-2.0
// Writes runs that a Python loop trains. gradus.Recorder is the interface for users.

#include "gradus/runs/recorder.h"

#include <filesystem>
#include <memory>
#include <optional>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "gradus/core/error.h"
#include "python/bindings/bindings.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

// A forked child, such as a worker of a data loader, must not touch the files of its parent.
struct LeaveToOwner {
  void operator()(Recorder* recorder) const {
    if (recorder->is_owner()) delete recorder;
  }
};
using PyRecorder = std::unique_ptr<Recorder, LeaveToOwner>;

double& metric(Metrics& metrics, const std::string& name) {
  return metrics.*find_entry("metric", name, metric_fields()).value;
}

PyRecorder record(const std::filesystem::path& folder, std::map<std::string, std::string> settings,
                  std::vector<std::string> tasks, std::string target, std::string measure,
                  std::optional<std::int64_t> resume_at) {
  Metrics all;
  if (!measure.empty()) metric(all, measure);  // throws if there is no such metric
  return PyRecorder(new Recorder(
      folder, {std::move(settings), std::move(tasks), std::move(target), std::move(measure)},
      resume_at));
}

// Returns the metrics that were stored and are not NaN.
std::map<std::string, double> add(Recorder& recorder, std::int64_t steps, std::int64_t rounds,
                                  const std::map<std::string, double>& values,
                                  std::vector<std::string> tasks, std::vector<double> policy,
                                  std::vector<double> loss, std::vector<double> error) {
  Metrics metrics;
  metrics.steps = steps;
  metrics.rounds = rounds;
  for (const auto& [name, value] : values) metric(metrics, name) = value;
  metrics = recorder.add(metrics,
                         {std::move(tasks), std::move(policy), std::move(loss), std::move(error)});
  std::map<std::string, double> stored;
  for (const MetricField& field : metric_fields()) {
    if (!std::isnan(metrics.*field.value)) stored[field.name] = metrics.*field.value;
  }
  return stored;
}

}  // namespace

void add_recorder(py::module_& module) {
  py::class_<Recorder, PyRecorder>(module, "RunWriter",
                                   "Writes the folder of a run. gradus.Recorder uses it.")
      .def(py::init(&record), py::arg("folder"), py::arg("settings"), py::arg("tasks"),
           py::arg("target"), py::arg("measure"), py::arg("resume_at"))
      .def_property_readonly("steps", &Recorder::steps)
      .def("add", &add, py::arg("steps"), py::arg("rounds"), py::arg("metrics"), py::arg("tasks"),
           py::arg("policy"), py::arg("loss"), py::arg("error"))
      .def("note", &Recorder::note, py::arg("kind"), py::arg("message"))
      .def("close", &Recorder::close, py::arg("status"), py::arg("message"));
}

}  // namespace gradus::python
