// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

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

/// The method __reduce_ex__ of a class with py::pickle, for every protocol of pickle: Python's own
/// protocols 0 and 1 create the object without its constructor, which pybind11 does not survive.
inline pybind11::object reduce(const pybind11::object& self, int protocol) {
  const auto object = pybind11::module_::import("builtins").attr("object");
  return object.attr("__reduce_ex__")(self, std::max(protocol, 2));
}

/// The names and the summaries of a table such as gain_list(), as a dict.
template <typename Entry>
pybind11::dict summaries(const std::vector<Entry>& table) {
  pybind11::dict by_name;
  for (const Entry& entry : table) by_name[pybind11::str(entry.name)] = entry.summary;
  return by_name;
}

}  // namespace gradus::python
