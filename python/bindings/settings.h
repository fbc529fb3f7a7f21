#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"

namespace gradus::python {

/// The settings of a syllabus, as keyword arguments give them.
struct Settings {
  PolicySettings policy;
  QuantileScaleSettings scale;
};

/// Reads keyword arguments for `policy` over `tasks`; `probabilities` may be a list in the order of
/// the tasks or a dict by their names; `rounds` makes an automatic eta the number for them. Throws
/// InputError for a key that is no setting, or none of that policy, and for a value of another
/// type.
Settings read_settings(const std::string& policy, const std::vector<std::string>& tasks,
                       const pybind11::kwargs& arguments);

/// Throws InputError unless it is a whole number of 64 bits, 0 or more.
std::uint64_t read_seed(pybind11::handle seed);

/// The names in an iterable of str. Throws InputError for a plain str, another type, no name, or
/// one that is there twice.
std::vector<std::string> read_tasks(pybind11::handle tasks);

}  // namespace gradus::python
