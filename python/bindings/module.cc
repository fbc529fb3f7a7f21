// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/error.h"
#include "python/bindings/bindings.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled core of Gradus. Import it through the package gradus.";
  // Every docstring has its own signature, in the form that inspect reads.
  pybind11::options options;
  options.disable_function_signatures();
  auto& error =
      pybind11::register_exception<gradus::InputError>(module, "InputError", PyExc_ValueError);
  error.doc() = "An argument is invalid. The message says what was expected; no state has changed.";
  gradus::python::add_gains(module);
  gradus::python::add_networks(module);
  gradus::python::add_policies(module);
  gradus::python::add_recorder(module);
  gradus::python::add_replay(module);
  gradus::python::add_runs(module);
  gradus::python::add_shuffle(module);
  gradus::python::add_syllabus(module);
}
