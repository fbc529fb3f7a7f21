// SPDX-License-Identifier: Apache-2.0
#include "python/bindings/settings.h"

#include "gradus/core/error.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

using nlohmann::json;

std::string text_of(py::handle value) {
  return py::repr(value).cast<std::string>();
}

// A number of any type that Python can convert, NumPy's included.
json to_number(const std::string& key, py::handle value) {
  try {
    if (PyIndex_Check(value.ptr()) != 0) return value.cast<std::int64_t>();
  } catch (const py::cast_error&) {
    // Too large for an integer, but perhaps not for a float.
  }
  try {
    return value.cast<double>();
  } catch (const py::cast_error&) {
    throw InputError(key + " is " + text_of(value) + ", expected a number, a string or a list");
  }
}

json to_setting(const std::string& key, py::handle value) {
  // Tensors and arrays.
  if (py::hasattr(value, "tolist")) return to_setting(key, value.attr("tolist")());
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::dict>(value)) {
    json object = json::object();
    for (const auto& [name, entry] : py::reinterpret_borrow<py::dict>(value)) {
      object[py::str(name).cast<std::string>()] = to_number(key, entry);
    }
    return object;
  }
  if (py::isinstance<py::sequence>(value)) {
    json list = json::array();
    for (const py::handle entry : value) list.push_back(to_number(key, entry));
    return list;
  }
  return to_number(key, value);
}

}  // namespace

json to_settings(const py::kwargs& arguments) {
  json settings = json::object();
  for (const auto& [name, value] : arguments) {
    const auto key = name.cast<std::string>();
    if (key == "rounds" && value.is_none()) continue;  // the same as not given
    settings[key] = to_setting(key, value);
  }
  return settings;
}

double read_number(const std::string& name, py::handle value) {
  py::detail::make_caster<double> number;
  if (number.load(value, true)) return py::detail::cast_op<double>(number);
  throw InputError(name + " is " + text_of(value) + ", expected a number");
}

std::vector<double> read_numbers(const std::string& name, py::handle values) {
  std::vector<double> numbers;
  for (const py::handle value : py::iter(values)) numbers.push_back(read_number(name, value));
  return numbers;
}

std::uint64_t read_seed(py::handle seed) {
  if (py::isinstance<py::int_>(seed) && !py::isinstance<py::bool_>(seed)) {
    const std::uint64_t value = PyLong_AsUnsignedLongLong(seed.ptr());
    if (PyErr_Occurred() == nullptr) return value;
    PyErr_Clear();
  }
  throw InputError("seed is " + text_of(seed) + ", expected a whole number from 0 to 2^64 - 1");
}

std::vector<std::string> read_tasks(py::handle tasks) {
  if (py::isinstance<py::str>(tasks) || !py::isinstance<py::iterable>(tasks)) {
    throw InputError("tasks is " + text_of(tasks) + ", expected a list of names");
  }
  std::vector<std::string> names;
  for (const py::handle task : py::iter(tasks)) {
    if (!py::isinstance<py::str>(task)) {
      throw InputError("task " + std::to_string(names.size()) + " is " + text_of(task) +
                       ", expected a name");
    }
    names.push_back(task.cast<std::string>());
  }
  return names;
}

}  // namespace gradus::python
