#pragma once

#include <nlohmann/json.hpp>
#include <pybind11/pybind11.h>

namespace gradus::python {

/// Plain Python types: dict, list, str, bool, int, float, None.
pybind11::object to_python(const nlohmann::json& value);

/// The reverse; tuples are lists. Throws InputError for any other type, naming it.
nlohmann::json from_python(pybind11::handle value);

}  // namespace gradus::python
