// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <pybind11/stl.h>

#include "gradus/bandit/make_syllabus.h"
#include "python/bindings/bindings.h"
#include "python/bindings/json.h"
#include "python/bindings/settings.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

// What __getstate__ returns: name, number of tasks, settings and state.
py::tuple saved(const Policy& policy) {
  return py::make_tuple(policy.name(), policy.size(), to_python(policy.settings()),
                        to_python(policy.state()));
}

std::unique_ptr<Policy> restored(const py::tuple& saved) {
  const auto name = saved[0].cast<std::string>();
  const PolicySettings settings = read_policy_settings(from_python(saved[2]));
  auto policy = make_policy(name, saved[1].cast<int>(), settings);
  policy->restore(from_python(saved[3]));
  return policy;
}

std::unique_ptr<Policy> new_policy(const std::string& name, int tasks, const py::kwargs& settings) {
  for (const std::string& key : quantile_scale_keys()) {
    if (settings.contains(key)) check_policy_reads(name, key);
  }
  return make_policy(tasks, read_syllabus_settings(name, {}, to_settings(settings)));
}

void update(Policy& policy, int task, double probability, double reward) {
  check_update(policy, task, probability, reward);
  policy.update(task, probability, reward);
}

void add_policy(py::module_& module) {
  py::class_<Policy>(module, "Policy",
                     "Policy(name, tasks, **settings)\n--\n\n"
                     "A distribution over tasks 0..tasks-1 that learns from rewards in [-1, 1].\n\n"
                     "`name` is one of policies(). A Syllabus contains one and adds task names,\n"
                     "tickets and random draws.")
      .def(py::init(&new_policy), py::arg("name"), py::arg("tasks"),
           "__init__(self, name, tasks, **settings)\n--\n\n")
      .def(py::pickle(&saved, &restored))
      .def("__reduce_ex__", &reduce)
      .def_property_readonly("name", &Policy::name, "The policy's name.")
      .def_property_readonly(
          "settings", [](const Policy& p) { return to_python(p.settings()); },
          "The policy's settings.")
      .def("__len__", &Policy::size)
      .def("probabilities", &Policy::probabilities,
           "probabilities(self)\n--\n\nAll probabilities, in the order of the tasks.")
      .def(
          "probability",
          [](const Policy& policy, int task) {
            check_task(policy, task);
            return policy.probability(task);
          },
          py::arg("task"), "probability(self, task)\n--\n\nThe probability of drawing `task` now.")
      .def(
          "draw",
          [](const Policy& policy, double u) {
            check_quantile(u);
            return policy.draw(u);
          },
          py::arg("u"),
          "draw(self, u)\n--\n\nThe task at quantile `u` of the distribution, 0 <= u < 1.")
      .def("update", &update, py::arg("task"), py::arg("probability"), py::arg("reward"),
           "update(self, task, probability, reward)\n--\n\n"
           "Learns that `task`, drawn with `probability`, earned `reward` in [-1, 1].")
      .def(
          "state_dict", [](const Policy& policy) { return to_python(policy.state()); },
          "state_dict(self)\n--\n\n"
          "Returns what the policy has learned, in plain JSON types.")
      .def(
          "load_state_dict",
          [](Policy& policy, py::handle state) { policy.restore(from_python(state)); },
          py::arg("state"),
          "load_state_dict(self, state)\n--\n\n"
          "Continues from the state_dict() of a policy with the same settings and size.");
  module.def(
      "policies", [] { return summaries(policy_list()); },
      "policies()\n--\n\n"
      "Returns the policies as a dict from name to a one-line summary.");
}

void add_scale(py::module_& module) {
  const QuantileScaleSettings defaults;
  py::class_<RewardScale>(
      module, "RewardScale",
      "RewardScale(*, low=0.2, high=0.8, reservoir=10000, seed=1)\n--\n\n"
      "Maps raw rewards to [-1, 1] using two quantiles of earlier ones (paper, section 2.3).")
      .def(py::init([](double low, double high, std::int64_t reservoir, py::handle seed) {
             return make_quantile_scale({low, high, reservoir}, read_seed(seed));
           }),
           py::kw_only(), py::arg("low") = defaults.low, py::arg("high") = defaults.high,
           py::arg("reservoir") = defaults.reservoir, py::arg("seed") = 1,
           "__init__(self, *, low=0.2, high=0.8, reservoir=10000, seed=1)\n--\n\n")
      .def_property_readonly(
          "settings", [](const RewardScale& s) { return to_python(s.settings()); },
          "The quantiles and the size of the reservoir.")
      .def("scale", &RewardScale::scale, py::arg("raw"),
           "scale(self, raw)\n--\n\n"
           "Scales `raw` using the rewards seen so far, then adds `raw` to that history.")
      .def(
          "range",
          [](const RewardScale& scale) {
            const RewardScale::Range range = scale.range();
            return py::make_tuple(range.low, range.high);
          },
          "range(self)\n--\n\n"
          "The raw rewards that now map to -1 and +1; both NaN before the first reward.")
      .def(
          "state_dict", [](const RewardScale& scale) { return to_python(scale.state()); },
          "state_dict(self)\n--\n\nReturns the history, in plain JSON types.")
      .def(
          "load_state_dict",
          [](RewardScale& scale, py::handle state) { scale.restore(from_python(state)); },
          py::arg("state"),
          "load_state_dict(self, state)\n--\n\n"
          "Continues from the state_dict() of a scale with the same settings.");
}

}  // namespace

void add_policies(py::module_& module) {
  add_policy(module);
  add_scale(module);
}

}  // namespace gradus::python
