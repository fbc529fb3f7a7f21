#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"

namespace gradus::python {

/// The settings of a syllabus, read from keyword arguments.
struct Settings {
  PolicySettings policy;
  QuantileScaleSettings scale;
};

/// Reads keyword arguments for `policy` over `tasks`. `probabilities` may be a list in the order of
/// the tasks or a dict keyed by task name. If `rounds` is given, an automatic eta becomes the
/// number for that many rewards. Throws InputError if a key is not a setting, or not one of that
/// policy, or if a value has the wrong type.
Settings read_settings(const std::string& policy, const std::vector<std::string>& tasks,
                       const pybind11::kwargs& arguments);

/// Throws InputError unless `seed` is an int from 0 to 2^64 - 1.
std::uint64_t read_seed(pybind11::handle seed);

/// Returns the names in an iterable of str. Throws InputError if `tasks` is a plain str, is not an
/// iterable of str, is empty, or contains a name twice.
std::vector<std::string> read_tasks(pybind11::handle tasks);

}  // namespace gradus::python
