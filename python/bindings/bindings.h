// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace gradus::python {

// Each function adds one area to the module gradus._core and is defined in its own file.
void add_gains(pybind11::module_& module);
void add_networks(pybind11::module_& module);
void add_policies(pybind11::module_& module);
void add_recorder(pybind11::module_& module);
void add_replay(pybind11::module_& module);
void add_runs(pybind11::module_& module);
void add_shuffle(pybind11::module_& module);
void add_syllabus(pybind11::module_& module);

}  // namespace gradus::python
