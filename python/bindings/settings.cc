#include "python/bindings/settings.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include <pybind11/stl.h>

#include "gradus/core/error.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

std::string text_of(py::handle value) {
  return py::repr(value).cast<std::string>();
}

template <typename Value>
Value read(const std::string& key, py::handle value, const char* expected) {
  try {
    return value.cast<Value>();
  } catch (const py::cast_error&) {
    throw InputError(key + " is " + text_of(value) + ", expected " + expected);
  }
}

std::vector<double> read_probabilities(py::handle value, const std::vector<std::string>& tasks) {
  if (!py::isinstance<py::dict>(value)) {
    return read<std::vector<double>>("probabilities", value, "a list of numbers or a dict");
  }
  const auto by_name = py::reinterpret_borrow<py::dict>(value);
  for (const auto& [key, probability] : by_name) {
    const auto name = read<std::string>("a key of probabilities", key, "the name of a task");
    if (std::find(tasks.begin(), tasks.end(), name) == tasks.end()) {
      throw_unknown("task", name, tasks);
    }
  }
  std::vector<double> probabilities;
  for (const std::string& task : tasks) {
    if (!by_name.contains(task)) {
      throw InputError("probabilities has no entry for \"" + task +
                       "\", expected one for each task");
    }
    probabilities.push_back(
        read<double>("probability of " + task, by_name[py::str(task)], "a number"));
  }
  return probabilities;
}

std::optional<double> read_eta(py::handle value) {
  if (py::isinstance<py::str>(value) && value.cast<std::string>() == "auto") return std::nullopt;
  return read<double>("eta", value, "a number or \"auto\"");
}

// If `rounds` is given, replaces an automatic eta by the number for that many rounds. Otherwise
// eta falls as rewards arrive.
void apply_rounds(const std::string& policy, std::size_t tasks, py::handle value,
                  PolicySettings& settings) {
  if (value.is_none()) return;
  const auto rounds = read<std::int64_t>("rounds", value, "a whole number, 1 or more, or None");
  if (rounds < 1) {
    throw InputError("rounds is " + std::to_string(rounds) +
                     ", expected a whole number, 1 or more");
  }
  if (!policy_reads(policy, "eta")) throw InputError("policy " + policy + " takes no rounds");
  if (settings.eta) {
    throw InputError("rounds is " + std::to_string(rounds) + " and eta " + to_text(*settings.eta) +
                     ", expected only one of them: rounds only applies to eta=\"auto\"");
  }
  settings = for_rounds(settings, static_cast<int>(tasks), static_cast<std::uint64_t>(rounds));
}

}  // namespace

Settings read_settings(const std::string& policy, const std::vector<std::string>& tasks,
                       const py::kwargs& arguments) {
  static const std::vector<std::string> keys = {"eta",           "rounds",    "beta", "epsilon",
                                                "probabilities", "reservoir", "low",  "high"};
  Settings settings;
  for (const auto& [name, value] : arguments) {
    const auto key = name.cast<std::string>();
    const auto number = [&, &value = value] { return read<double>(key, value, "a number"); };
    if (key == "reservoir") {
      settings.scale.reservoir = read<std::int64_t>(key, value, "a whole number");
    } else if (key == "low") {
      settings.scale.low = number();
    } else if (key == "high") {
      settings.scale.high = number();
    } else if (key == "rounds") {
      continue;  // handled last: it needs eta, which may follow it
    } else if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      throw_unknown("setting", key, keys);
    } else {
      check_policy_reads(policy, key);
      if (key == "eta") settings.policy.eta = read_eta(value);
      if (key == "beta") settings.policy.beta = number();
      if (key == "epsilon") settings.policy.epsilon = number();
      if (key == "probabilities") settings.policy.probabilities = read_probabilities(value, tasks);
    }
  }
  if (arguments.contains("rounds")) {
    apply_rounds(policy, tasks.size(), arguments["rounds"], settings.policy);
  }
  return settings;
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
  std::unordered_set<std::string> seen;
  for (const py::handle task : py::iter(tasks)) {
    if (!py::isinstance<py::str>(task)) {
      throw InputError("task " + std::to_string(names.size()) + " is " + text_of(task) +
                       ", expected a name");
    }
    names.push_back(task.cast<std::string>());
    if (!seen.insert(names.back()).second) {
      throw InputError("task \"" + names.back() + "\" is listed twice, expected distinct names");
    }
  }
  if (names.empty()) throw InputError("tasks is empty, expected at least one name");
  return names;
}

}  // namespace gradus::python
