#pragma once

#include <pybind11/pybind11.h>

namespace gradus::python {

// One file an area; each adds its part to the module gradus._core.
void add_gains(pybind11::module_& module);
void add_policies(pybind11::module_& module);
void add_replay(pybind11::module_& module);
void add_runs(pybind11::module_& module);
void add_shuffle(pybind11::module_& module);
void add_syllabus(pybind11::module_& module);

}  // namespace gradus::python
