// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <pybind11/pybind11.h>

namespace gradus::python {

/// Converts keyword arguments for read_syllabus_settings(): numbers, strings, sequences of numbers
/// and dicts of numbers by name. Throws InputError for other values; leaves out rounds=None.
nlohmann::json to_settings(const pybind11::kwargs& arguments);

/// Converts anything that float() takes but text. Throws InputError, which calls the value `name`,
/// if it is not a number.
double read_number(const std::string& name, pybind11::handle value);

/// Converts an iterable of numbers, such as a list or a tensor. Throws InputError, which calls its
/// numbers `name`.
std::vector<double> read_numbers(const std::string& name, pybind11::handle values);

/// Throws InputError unless `seed` is an int from 0 to 2^64 - 1.
std::uint64_t read_seed(pybind11::handle seed);

/// Returns the names in an iterable of str. Throws InputError if `tasks` is a plain str or not an
/// iterable of str.
std::vector<std::string> read_tasks(pybind11::handle tasks);

}  // namespace gradus::python
