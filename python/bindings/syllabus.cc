// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/syllabus.h"

#include <memory>
#include <optional>

#include <pybind11/stl.h>

#include "gradus/bandit/make_syllabus.h"
#include "gradus/core/error.h"
#include "python/bindings/bindings.h"
#include "python/bindings/json.h"
#include "python/bindings/settings.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

using nlohmann::json;

// Returns a named tuple type of gradus/_tuples.py. These are plain tuples so that they can be
// pickled. The reference is never released: static destructors run after the interpreter exits.
PyObject* tuple_type(const char* name) {
  return py::object(py::module_::import("gradus._tuples").attr(name)).release().ptr();
}

py::object ticket_tuple(const Syllabus& syllabus, const Ticket& ticket) {
  static PyObject* const type = tuple_type("Ticket");
  return py::handle(type)(ticket.task, syllabus.tasks()[ticket.task], ticket.probability,
                          ticket.id);
}

Ticket read_ticket(py::handle value) {
  if (py::isinstance<py::tuple>(value) && py::len(value) == 4) {
    const auto fields = py::reinterpret_borrow<py::tuple>(value);
    try {
      return {fields[3].cast<std::uint64_t>(), fields[0].cast<int>(), fields[2].cast<double>()};
    } catch (const py::cast_error&) {
    }
  }
  throw InputError("ticket is " + py::repr(value).cast<std::string>() +
                   ", expected a Ticket returned by draw()");
}

Syllabus make(py::handle tasks, const std::string& policy, py::handle seed,
              const py::kwargs& arguments) {
  const std::vector<std::string> names = read_tasks(tasks);
  SyllabusSettings settings = read_syllabus_settings(policy, names, to_settings(arguments));
  settings.seed = read_seed(seed);
  return make_syllabus(names, settings);
}

Syllabus from_state(py::handle state) {
  return read_syllabus(from_python(state));
}

py::object draw(Syllabus& syllabus) {
  const Ticket ticket = syllabus.draw();
  return ticket_tuple(syllabus, ticket);
}

py::object ticket_for(Syllabus& syllabus, const std::string& task) {
  const Ticket ticket = syllabus.ticket_for(syllabus.task_index(task));
  return ticket_tuple(syllabus, ticket);
}

py::object reward(Syllabus& syllabus, py::handle ticket, double progress, double cost) {
  static PyObject* const type = tuple_type("Reward");
  const Reward reward = syllabus.reward(read_ticket(ticket), progress, cost);
  return py::handle(type)(reward.raw, reward.scaled);
}

py::dict probabilities(const Syllabus& syllabus) {
  py::dict by_name;
  const std::vector<double> p = syllabus.probabilities();
  for (std::size_t i = 0; i < p.size(); ++i) by_name[py::str(syllabus.tasks()[i])] = p[i];
  return by_name;
}

std::string probe_task(const Syllabus& syllabus, py::handle ticket) {
  return syllabus.tasks()[syllabus.probe_task(read_ticket(ticket))];
}

void set_limit(Syllabus& syllabus, const std::string& task, std::optional<double> floor,
               std::optional<double> ceiling) {
  const int index = syllabus.task_index(task);
  TaskLimit limit = syllabus.limit(index);
  limit.floor = floor.value_or(limit.floor);
  limit.ceiling = ceiling.value_or(limit.ceiling);
  syllabus.set_limit(index, limit);
}

void set_frozen(Syllabus& syllabus, const std::string& task, bool frozen) {
  const int index = syllabus.task_index(task);
  TaskLimit limit = syllabus.limit(index);
  limit.frozen = frozen;
  syllabus.set_limit(index, limit);
}

py::object limit_of(const Syllabus& syllabus, const std::string& task) {
  static PyObject* const type = tuple_type("Limit");
  const TaskLimit limit = syllabus.limit(syllabus.task_index(task));
  return py::handle(type)(limit.floor, limit.ceiling, limit.frozen);
}

std::string describe(const Syllabus& syllabus) {
  return "<gradus.Syllabus of " + std::to_string(syllabus.tasks().size()) + " tasks, policy " +
         std::string(syllabus.policy().name()) + ", " + std::to_string(syllabus.rounds()) +
         " rewards>";
}

void add_tickets(py::class_<Syllabus>& syllabus) {
  syllabus
      .def("draw", &draw,
           "Draws a task. Returns a Ticket, which reward() settles or drop() gives up.\n\n"
           "The draw is a pure function of the seed, the number of tickets issued before it\n"
           "and the probabilities.")
      .def("ticket_for", &ticket_for, py::arg("task"),
           "Issues a ticket for a task chosen by the caller, with the task's current probability.")
      .def("reward", &reward, py::arg("ticket"), py::arg("progress"), py::arg("cost") = 1.0,
           "Settles a ticket: the raw reward is progress / cost. Returns Reward(raw, scaled).\n\n"
           "Rewards may come late, in any order, or never. Raises InputError and changes nothing\n"
           "if progress or cost is not finite, cost is not above 0, or the ticket is not\n"
           "outstanding.")
      .def(
          "drop", [](Syllabus& s, py::handle ticket) { s.drop(read_ticket(ticket)); },
          py::arg("ticket"), "Gives a ticket up without a reward.")
      .def(
          "is_outstanding",
          [](const Syllabus& s, py::handle ticket) {
            return s.is_outstanding(read_ticket(ticket));
          },
          py::arg("ticket"), "Returns whether the ticket can still be settled.")
      .def(
          "is_void",
          [](const Syllabus& s, py::handle ticket) { return s.is_void(read_ticket(ticket)); },
          py::arg("ticket"),
          "Returns whether the ticket's task was removed while it was outstanding.")
      .def("probe_task", &probe_task, py::arg("ticket"),
           "Returns the name of a uniformly drawn task, always the same for the same ticket.");
}

void add_tasks(py::class_<Syllabus>& syllabus) {
  syllabus
      .def("add", &Syllabus::add_task, py::arg("task"),
           "Adds a task at the end. Its weight is the mean of the N others, so its share is\n"
           "1/(N+1). The others keep their ratios.")
      .def(
          "remove", [](Syllabus& s, const std::string& task) { s.remove_task(s.task_index(task)); },
          py::arg("task"),
          "Removes a task and its weight; the others keep their ratios. Its outstanding tickets\n"
          "become void: settling one raises InputError.")
      .def(
          "freeze", [](Syllabus& s, const std::string& task) { set_frozen(s, task, true); },
          py::arg("task"), "Stops drawing the task until unfreeze(). It keeps its weight.")
      .def(
          "unfreeze", [](Syllabus& s, const std::string& task) { set_frozen(s, task, false); },
          py::arg("task"), "Lets a frozen task be drawn again.")
      .def("limit", &set_limit, py::arg("task"), py::kw_only(), py::arg("floor") = py::none(),
           py::arg("ceiling") = py::none(),
           "Keeps the task's probability between `floor` and `ceiling`, whatever the policy\n"
           "learns. A limit that is left out stays as it is. Tasks not held by a limit keep\n"
           "their ratios.")
      .def("limit_of", &limit_of, py::arg("task"),
           "Returns the task's Limit(floor, ceiling, frozen).");
}

}  // namespace

void add_syllabus(py::module_& module) {
  py::class_<Syllabus> syllabus(
      module, "Syllabus",
      "A distribution over named tasks that follows learning progress.\n\n"
      "tasks     an iterable of names, for example a dict keyed by task name\n"
      "policy    one of policies(): exp3s, exp3, uniform, fixed\n"
      "seed      seed of all draws\n"
      "eta       step size of exp3s and exp3: a number, or \"auto\", which chooses it from the\n"
      "          number of tasks and the number of rewards\n"
      "rounds    for eta=\"auto\": about how many rewards you expect; without it, eta falls as\n"
      "          rewards arrive\n"
      "settings  beta and epsilon (exp3s); probabilities (fixed); for the reward scale:\n"
      "          reservoir (raw rewards kept), low and high (its quantiles)");
  syllabus
      .def(py::init(&make), py::arg("tasks"), py::arg("policy") = "exp3s", py::kw_only(),
           py::arg("seed") = 1)
      .def_static("from_state_dict", &from_state, py::arg("state"),
                  "Creates a syllabus with the tasks, settings and state of a state_dict().")
      .def_property_readonly("tasks", &Syllabus::tasks, "The task names, in order.")
      .def_property_readonly("policy", [](const Syllabus& s) { return s.policy().name(); })
      .def_property_readonly(
          "settings",
          [](const Syllabus& s) {
            json settings = s.policy().settings();
            settings.update(s.scale().settings());
            return to_python(settings);
          },
          "The settings of the policy and the reward scale.")
      .def_property_readonly("seed", &Syllabus::seed)
      .def_property_readonly("issued", &Syllabus::issued, "Number of tickets issued so far.")
      .def_property_readonly("rounds", &Syllabus::rounds, "Number of rewards settled so far.")
      .def_property_readonly("outstanding", &Syllabus::outstanding,
                             "Number of tickets neither settled nor given up.")
      .def("__len__", [](const Syllabus& s) { return s.tasks().size(); })
      .def("__repr__", &describe)
      .def("index", &Syllabus::task_index, py::arg("task"), "Returns the index of a task by name.")
      .def("probabilities", &probabilities,
           "Returns the distribution that draw() uses, as a dict by task name.")
      .def(
          "entropy", [](const Syllabus& s) { return entropy(s.probabilities()); },
          "Entropy of the probabilities, in nats.")
      .def(
          "reward_range",
          [](const Syllabus& s) {
            const RewardScale::Range range = s.scale().range();
            return py::make_tuple(range.low, range.high);
          },
          "The raw rewards that now map to -1 and +1; both NaN before the first reward.")
      .def("fingerprint", &Syllabus::fingerprint,
           "A hash: equal if two syllabuses would continue identically given the same rewards,\n"
           "almost certainly different otherwise.")
      .def(
          "state_dict", [](const Syllabus& s) { return to_python(s.save()); },
          "Returns the whole state, including outstanding tickets, in plain JSON types with a "
          "version.")
      .def(
          "load_state_dict", [](Syllabus& s, py::handle state) { s.restore(from_python(state)); },
          py::arg("state"),
          "Continues exactly from a state_dict(). Raises InputError and changes nothing if it has\n"
          "another version, task set, seed, policy or setting; the message says which.");
  add_tickets(syllabus);
  add_tasks(syllabus);
}

}  // namespace gradus::python
