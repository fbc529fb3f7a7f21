// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <pybind11/pybind11.h>

namespace gradus::python {

/// Converts JSON to plain Python types: dict, list, str, bool, int, float, None.
pybind11::object to_python(const nlohmann::json& value);

/// Converts those types to JSON; a tuple becomes a list. Throws InputError for a value of any other
/// type, naming the type, and for an integer that does not fit in 64 bits.
nlohmann::json from_python(pybind11::handle value);

}  // namespace gradus::python
