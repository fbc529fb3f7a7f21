// SPDX-License-Identifier: Apache-2.0
#include "gradus/gains/gains.h"

#include <map>
#include <string>

#include <pybind11/stl.h>

#include "gradus/core/error.h"
#include "python/bindings/bindings.h"
#include "python/bindings/json.h"
#include "python/bindings/settings.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

struct Field {
  const char* name;
  double Measurements::*value;
};

constexpr Field kFields[] = {
    {"loss_before", &Measurements::loss_before},
    {"loss_after", &Measurements::loss_after},
    {"outputs", &Measurements::outputs},
    {"answers_right", &Measurements::answers_right},
    {"probe_before", &Measurements::probe_before},
    {"probe_after", &Measurements::probe_after},
    {"probe_dot_gradient", &Measurements::probe_dot_gradient},
    {"gradient_norm", &Measurements::gradient_norm},
    {"weights_dot_gradient", &Measurements::weights_dot_gradient},
    {"weight_norm_before", &Measurements::weight_norm_before},
    {"weight_norm_after", &Measurements::weight_norm_after},
    {"kl_before", &Measurements::kl_before},
    {"kl_after", &Measurements::kl_after},
    {"kl_dot_gradient", &Measurements::kl_dot_gradient},
};

Measurements read_measurements(const py::dict& measured) {
  Measurements measurements;
  std::vector<std::string> names;
  for (const Field& field : kFields) names.emplace_back(field.name);
  for (const auto& [key, value] : measured) {
    const auto name = py::str(key).cast<std::string>();
    const Field& field = kFields[find_known("measurement", name, names)];
    measurements.*field.value = read_number(name, value);
  }
  return measurements;
}

double progress(Gain& gain, const py::dict& measured, const std::string& task) {
  return gain.progress(task, read_measurements(measured));
}

std::vector<double> progress_by_signal(Gain& gain, const py::dict& measured,
                                       const std::string& task) {
  return gain.progress_by_signal(task, read_measurements(measured));
}

std::unique_ptr<Gain> gain_of(const std::string& name, const std::string& sign, int window,
                              double errors, const std::map<std::string, double>& floors) {
  GainSettings settings{.window = window, .errors = errors, .floors = floors};
  for (const Setting& setting : settings_of(settings)) {
    if (setting.key == "sign") set_json(setting, sign);
  }
  return make_gain(name, settings);
}

const char* probe_name(Probe probe) {
  switch (probe) {
    case Probe::kNone:
      return "none";
    case Probe::kSameTask:
      return "same";
    case Probe::kHeldOut:
      return "held-out";
    case Probe::kTargetTask:
      return "target";
    default:
      return "random";
  }
}

py::dict needs(const Gain& gain) {
  const Needs needs = gain.needs();
  py::dict dict;
  for (const NeedsField& field : kNeedsFields) dict[field.name] = needs.*field.value;
  dict["probe"] = probe_name(needs.probe);
  return dict;
}

}  // namespace

void add_gains(py::module_& module) {
  py::class_<Gain>(module, "Gain",
                   "Gain(name, sign='derived', window=10, errors=2.0, floors={})\n--\n\n"
                   "A signal of learning progress. `needs` says what to measure around a training "
                   "step,\nand progress() maps the measurements to a number. gradus.torch.Gain "
                   "does the measuring.")
      .def(py::init(&gain_of), py::arg("name"), py::arg("sign") = "derived",
           py::arg("window") = GainSettings().window, py::arg("errors") = GainSettings().errors,
           py::arg("floors") = std::map<std::string, double>(),
           "__init__(self, name, sign='derived', window=10, errors=2.0, floors={})\n--\n\n")
      .def_property_readonly("name", &Gain::name, "The gain's name.")
      .def_property_readonly("needs", &needs, "What must be measured around a training step.")
      .def(
          "progress", &progress, py::arg("measured"), py::arg("task") = "",
          "progress(self, measured, task='')\n--\n\n"
          "Computes progress from a dict of measurements. Returns NaN if a needed one is missing.\n"
          "A gain that remembers earlier steps of a task finds them by its name.")
      .def_property_readonly("signals", &Gain::signals,
                             "The number of signals: 2 for \"hsg:pg\", for example.")
      .def("progress_by_signal", &progress_by_signal, py::arg("measured"), py::arg("task") = "",
           "progress_by_signal(self, measured, task='')\n--\n\n"
           "Computes the progress by each signal, instead of progress(), which returns the first.")
      .def("forget", &Gain::forget, py::arg("task"),
           "forget(self, task)\n--\n\nForgets what it remembers of a task.")
      .def(
          "state_dict", [](const Gain& gain) { return to_python(gain.save()); },
          "state_dict(self)\n--\n\n"
          "Returns what the gain remembers, as plain Python objects.")
      .def(
          "load_state_dict", [](Gain& gain, py::handle state) { gain.restore(from_python(state)); },
          py::arg("state"),
          "load_state_dict(self, state)\n--\n\n"
          "Continues from a state_dict() of the same gain with the same settings.");
  module.def(
      "gains", [] { return summaries(gain_list()); },
      "gains()\n--\n\n"
      "Returns the gains as a dict from name to a one-line summary.");
}

}  // namespace gradus::python
