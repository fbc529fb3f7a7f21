// SPDX-License-Identifier: Apache-2.0
#include "python/bindings/json.h"

#include <string>

#include "gradus/core/error.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

using nlohmann::json;

json whole_number(py::handle value) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) return number;
  const unsigned long long large = PyLong_AsUnsignedLongLong(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw InputError("saved state is damaged: the number " + py::str(value).cast<std::string>() +
                     " does not fit in 64 bits");
  }
  return large;
}

}  // namespace

py::object to_python(const json& value) {
  switch (value.type()) {
    case json::value_t::object: {
      py::dict dict;
      for (const auto& [key, entry] : value.items()) dict[py::str(key)] = to_python(entry);
      return dict;
    }
    case json::value_t::array: {
      py::list list(value.size());
      for (std::size_t i = 0; i < value.size(); ++i) list[i] = to_python(value[i]);
      return list;
    }
    case json::value_t::string:
      return py::str(value.get_ref<const std::string&>());
    case json::value_t::boolean:
      return py::bool_(value.get<bool>());
    case json::value_t::number_integer:
      return py::int_(value.get<std::int64_t>());
    case json::value_t::number_unsigned:
      return py::int_(value.get<std::uint64_t>());
    case json::value_t::number_float:
      return py::float_(value.get<double>());
    default:
      return py::none();
  }
}

json from_python(py::handle value) {
  if (value.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value)) return whole_number(value);
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::dict>(value)) {
    json object = json::object();
    for (const auto& [key, entry] : py::reinterpret_borrow<py::dict>(value)) {
      object[py::str(key).cast<std::string>()] = from_python(entry);
    }
    return object;
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    json array = json::array();
    for (const py::handle entry : value) array.push_back(from_python(entry));
    return array;
  }
  throw InputError("saved state is damaged: it contains a value of type " +
                   py::str(py::type::of(value).attr("__name__")).cast<std::string>() +
                   ", expected only dict, list, str, bool, int, float and None");
}

}  // namespace gradus::python
