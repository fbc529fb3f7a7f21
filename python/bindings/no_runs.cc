// SPDX-License-Identifier: Apache-2.0
// Replaces networks.cc, recorder.cc, replay.cc and runs.cc in a build without networks.
#include <string>

#include "python/bindings/bindings.h"

namespace py = pybind11;

namespace gradus::python {

void add_networks(py::module_&) {}
void add_recorder(py::module_&) {}
void add_replay(py::module_&) {}

void add_runs(py::module_& module) {
  module.def("__getattr__", [](const std::string& name) -> py::object {
    throw py::attribute_error("\"" + name +
                              "\" is not in this build of gradus, which is the bandit alone "
                              "(docs/python.md, \"Wheels\")");
  });
}

}  // namespace gradus::python
