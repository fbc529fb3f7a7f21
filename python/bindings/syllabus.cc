// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/syllabus.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

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

Syllabus new_syllabus(py::handle tasks, const std::string& policy, py::handle seed,
                      const py::kwargs& arguments) {
  const std::vector<std::string> names = read_tasks(tasks);
  SyllabusSettings settings = read_syllabus_settings(policy, names, to_settings(arguments));
  settings.seed = read_seed(seed);
  return make_syllabus(names, settings);
}

Syllabus from_state(py::handle state) {
  return read_syllabus(from_python(state));
}

py::object draw(Syllabus& syllabus, std::optional<int> n, bool quotas) {
  if (!n) {
    if (quotas) throw InputError("quotas is True, expected also n, the number of draws");
    const Ticket ticket = syllabus.draw();
    return ticket_tuple(syllabus, ticket);
  }
  if (*n < 0) throw InputError("n is " + std::to_string(*n) + ", expected 0 or more");
  py::list tickets;
  for (const Ticket& ticket : quotas ? syllabus.draw_quotas(*n) : syllabus.draw(*n)) {
    tickets.append(ticket_tuple(syllabus, ticket));
  }
  return tickets;
}

py::object ticket_for(Syllabus& syllabus, const std::string& task,
                      std::optional<double> probability) {
  const Ticket ticket = syllabus.ticket_for(syllabus.task_index(task), probability);
  return ticket_tuple(syllabus, ticket);
}

py::object reward_tuple(const Reward& reward) {
  static PyObject* const type = tuple_type("Reward");
  return py::handle(type)(reward.raw, reward.scaled);
}

// Whether it has several numbers: a list, an array or a tensor, but not one without dimensions.
bool is_list(py::handle value) {
  return py::isinstance<py::iterable>(value) && !py::isinstance<py::str>(value);
}

py::object reward(Syllabus& syllabus, py::handle ticket, py::handle progress, double cost) {
  const auto signals = is_list(progress) ? read_numbers("progress", progress)
                                         : std::vector<double>{read_number("progress", progress)};
  return reward_tuple(syllabus.reward(read_ticket(ticket), signals, cost));
}

// One number for each of `count` tickets, from a list of them or from a single number.
std::vector<double> numbers_of(const char* name, py::handle value, std::size_t count) {
  if (!is_list(value)) return std::vector<double>(count, read_number(name, value));
  auto numbers = read_numbers(name, value);
  if (numbers.size() == count) return numbers;
  throw InputError(std::string(name) + " has " + std::to_string(numbers.size()) +
                   " numbers, expected one for each of " + std::to_string(count) + " tickets");
}

py::list reward_batch(Syllabus& syllabus, const py::sequence& tickets, py::handle progress,
                      py::handle cost) {
  std::vector<Ticket> read;
  for (const py::handle ticket : tickets) read.push_back(read_ticket(ticket));
  py::list rewards;
  for (const Reward& reward :
       syllabus.reward_batch(read, numbers_of("progress", progress, read.size()),
                             numbers_of("cost", cost, read.size()))) {
    rewards.append(reward_tuple(reward));
  }
  return rewards;
}

// Throws InputError unless the keys of `numbers` are the tasks.
void check_keys(const Syllabus& syllabus, const std::string& name, const py::dict& numbers) {
  const std::vector<std::string>& tasks = syllabus.tasks();
  const auto missing =
      std::ranges::find_if(tasks, [&](const std::string& task) { return !numbers.contains(task); });
  if (missing == tasks.end() && numbers.size() == tasks.size()) return;
  for (const auto& [task, number] : numbers) {
    if (!py::isinstance<py::str>(task)) {
      throw InputError(name + " has the key " + py::repr(task).cast<std::string>() +
                       ", expected the name of a task");
    }
    syllabus.task_index(task.cast<std::string>());
  }
  throw InputError(name + " has no entry for \"" + *missing + "\", expected one for each task");
}

bool is_mapping(py::handle value) {
  return py::hasattr(value, "keys");
}

// The numbers of a dict keyed by task, in the order of the tasks.
std::vector<double> by_task(const Syllabus& syllabus, const std::string& name, py::handle value) {
  if (!is_mapping(value)) {
    throw InputError(name + " is " + py::repr(value).cast<std::string>() +
                     ", expected a dict with a number for each task");
  }
  const py::dict numbers(py::reinterpret_borrow<py::object>(value));
  check_keys(syllabus, name, numbers);
  std::vector<double> ordered;
  for (const std::string& task : syllabus.tasks()) {
    ordered.push_back(read_number(name, numbers[py::str(task)]));
  }
  return ordered;
}

py::dict reward_all(Syllabus& syllabus, py::handle progress, py::handle cost) {
  const std::vector<double> costs =
      is_mapping(cost) ? by_task(syllabus, "cost", cost)
                       : std::vector<double>(syllabus.tasks().size(), read_number("cost", cost));
  const std::vector<Reward> rewards =
      syllabus.reward_all(by_task(syllabus, "progress", progress), costs);
  py::dict by_name;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    by_name[py::str(syllabus.tasks()[i])] = reward_tuple(rewards[i]);
  }
  return by_name;
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

// The indices of a task, or of an iterable of tasks.
std::vector<int> read_indices(const Syllabus& syllabus, const py::object& task) {
  if (py::isinstance<py::str>(task)) return {syllabus.task_index(task.cast<std::string>())};
  std::unordered_map<std::string, int> indices;
  for (const std::string& name : syllabus.tasks()) {
    indices.emplace(name, static_cast<int>(indices.size()));
  }
  std::vector<int> found;
  for (const std::string& name : read_tasks(task)) {
    const auto at = indices.find(name);
    found.push_back(at == indices.end() ? syllabus.task_index(name) : at->second);
  }
  return found;
}

void set_limit(Syllabus& syllabus, const py::object& task, std::optional<double> floor,
               std::optional<double> ceiling) {
  TaskLimits changes;
  for (const int index : read_indices(syllabus, task)) {
    TaskLimit limit = syllabus.limit(index);
    limit.floor = floor.value_or(limit.floor);
    limit.ceiling = ceiling.value_or(limit.ceiling);
    changes[index] = limit;
  }
  syllabus.set_limits(changes);
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
      .def("draw", &draw, py::arg("n") = py::none(), py::kw_only(), py::arg("quotas") = false,
           "draw(self, n=None, *, quotas=False)\n--\n\n"
           "Draws a task. Returns a Ticket, which reward() settles or drop() gives up.\n\n"
           "With n, returns a list of n tickets. With quotas=True, task i with probability p_i\n"
           "gets n p_i of them, rounded up or down at random so that the mean is exact.\n"
           "Otherwise they are independent draws, the same as n calls of draw().\n\n"
           "A draw is a pure function of the seed, the number of tickets issued before it and\n"
           "the probabilities.")
      .def("ticket_for", &ticket_for, py::arg("task"), py::kw_only(),
           py::arg("probability") = py::none(),
           "ticket_for(self, task, *, probability=None)\n--\n\n"
           "Issues a ticket for a task that was drawn elsewhere with `probability`, by default\n"
           "the task's current one.")
      .def("reward", &reward, py::arg("ticket"), py::arg("progress"), py::arg("cost") = 1.0,
           "reward(self, ticket, progress, cost=1.0)\n--\n\n"
           "Settles a ticket: the raw reward is progress / cost. Returns Reward(raw, scaled).\n\n"
           "For policy=\"corral\", progress may be a list with the progress by one signal per\n"
           "base. The first signal compares the bases, and its reward is returned.\n\n"
           "Rewards may come late, in any order, or never. Raises InputError and changes nothing\n"
           "if progress or cost is not finite, cost is not above 0, or the ticket is not\n"
           "outstanding.")
      .def("reward_batch", &reward_batch, py::arg("tickets"), py::arg("progress"),
           py::arg("cost") = 1.0,
           "reward_batch(self, tickets, progress, cost=1.0)\n--\n\n"
           "Settles several tickets, as calls of reward() in order would. `progress` and `cost`\n"
           "are lists with a number per ticket, or a number for all. Returns a list of Reward.\n"
           "Raises InputError and changes nothing if one of them is refused.")
      .def("reward_all", &reward_all, py::arg("progress"), py::arg("cost") = 1.0,
           "reward_all(self, progress, cost=1.0)\n--\n\n"
           "Rewards all tasks in one round, without tickets. `progress` is a dict with a number\n"
           "for each task, and `cost` such a dict or a number for all. Returns a dict of Reward.\n"
           "Raises InputError if the policy can only learn the reward of one task: ducb, swucb,\n"
           "thompson and corral.")
      .def(
          "drop", [](Syllabus& s, py::handle ticket) { s.drop(read_ticket(ticket)); },
          py::arg("ticket"), "drop(self, ticket)\n--\n\nGives a ticket up without a reward.")
      .def(
          "is_outstanding",
          [](const Syllabus& s, py::handle ticket) {
            return s.is_outstanding(read_ticket(ticket));
          },
          py::arg("ticket"),
          "is_outstanding(self, ticket)\n--\n\nReturns whether the ticket can still be settled.")
      .def(
          "is_void",
          [](const Syllabus& s, py::handle ticket) { return s.is_void(read_ticket(ticket)); },
          py::arg("ticket"),
          "is_void(self, ticket)\n--\n\n"
          "Returns whether the ticket's task was removed while it was outstanding.")
      .def("probe_task", &probe_task, py::arg("ticket"),
           "probe_task(self, ticket)\n--\n\n"
           "Returns the name of a uniformly drawn task, always the same for the same ticket.");
}

void add_tasks(py::class_<Syllabus>& syllabus) {
  syllabus
      .def("add", &Syllabus::add_task, py::arg("task"),
           "add(self, task)\n--\n\n"
           "Adds a task at the end. Its weight is the mean of the N others, so its share is\n"
           "1/(N+1). The others keep their ratios.")
      .def(
          "remove", [](Syllabus& s, const std::string& task) { s.remove_task(s.task_index(task)); },
          py::arg("task"),
          "remove(self, task)\n--\n\n"
          "Removes a task and its weight; the others keep their ratios. Its outstanding tickets\n"
          "become void: settling one raises InputError.")
      .def(
          "freeze", [](Syllabus& s, const std::string& task) { set_frozen(s, task, true); },
          py::arg("task"),
          "freeze(self, task)\n--\n\n"
          "Stops drawing the task until unfreeze(). It keeps its weight.")
      .def(
          "unfreeze", [](Syllabus& s, const std::string& task) { set_frozen(s, task, false); },
          py::arg("task"), "unfreeze(self, task)\n--\n\nLets a frozen task be drawn again.")
      .def("limit", &set_limit, py::arg("task"), py::kw_only(), py::arg("floor") = py::none(),
           py::arg("ceiling") = py::none(),
           "limit(self, task, *, floor=None, ceiling=None)\n--\n\n"
           "Keeps the task's probability between `floor` and `ceiling`, whatever the policy\n"
           "learns. A limit that is left out stays as it is. Tasks not held by a limit keep\n"
           "their ratios. `task` may also be a list of tasks; each then gets these limits.")
      .def("limit_of", &limit_of, py::arg("task"),
           "limit_of(self, task)\n--\n\nReturns the task's Limit(floor, ceiling, frozen).");
}

void add_state(py::class_<Syllabus>& syllabus) {
  syllabus
      .def("fingerprint", &Syllabus::fingerprint,
           "fingerprint(self)\n--\n\n"
           "A hash: equal if two syllabuses would continue identically given the same rewards,\n"
           "almost certainly different otherwise.")
      .def(
          "state_dict", [](const Syllabus& s) { return to_python(s.save()); },
          "state_dict(self)\n--\n\n"
          "Returns the whole state, including outstanding tickets, in plain JSON types with a "
          "version.")
      .def(
          "load_state_dict", [](Syllabus& s, py::handle state) { s.restore(from_python(state)); },
          py::arg("state"),
          "load_state_dict(self, state)\n--\n\n"
          "Continues exactly from a state_dict(). Raises InputError and changes nothing if it has\n"
          "another version, task set, seed, policy or setting; the message says which.")
      .def_static("from_state_dict", &from_state, py::arg("state"),
                  "from_state_dict(state)\n--\n\n"
                  "Creates a syllabus with the tasks, settings and state of a state_dict().")
      .def(py::pickle([](const Syllabus& s) { return to_python(s.save()); },
                      [](const py::object& state) { return from_state(state); }))
      .def("__reduce_ex__", &reduce);
}

}  // namespace

void add_syllabus(py::module_& module) {
  py::class_<Syllabus> syllabus(
      module, "Syllabus",
      "Syllabus(tasks, policy='exp3s', *, seed=1, rounds=None, **settings)\n--\n\n"
      "A distribution over named tasks that follows learning progress.\n\n"
      "tasks     an iterable of names, for example a dict keyed by task name\n"
      "policy    one of policies()\n"
      "seed      seed of all draws\n"
      "rounds    for eta=\"auto\": about how many rewards you expect; without it, eta falls as\n"
      "          rewards arrive\n"
      "settings  of the policy: eta, beta and epsilon (exp3s); eta (exp3); discount, temperature\n"
      "          and epsilon (boltzmann); window and epsilon (ducb, swucb, thompson); bases and\n"
      "          the settings of the bases (corral); probabilities (fixed). eta is a number, or\n"
      "          \"auto\", which chooses it from the number of tasks and of rewards.\n"
      "          prior, for all policies but uniform and fixed: a dict with a weight for each\n"
      "          task; a policy starts from this mixture and returns to it if it learns nothing.\n"
      "          For the reward scale: reservoir (raw rewards kept), low and high (its quantiles)");
  syllabus
      .def(py::init(&new_syllabus), py::arg("tasks"), py::arg("policy") = "exp3s", py::kw_only(),
           py::arg("seed") = 1,
           "__init__(self, tasks, policy='exp3s', *, seed=1, rounds=None, **settings)\n--\n\n")
      .def_property_readonly("tasks", &Syllabus::tasks, "The task names, in order.")
      .def_property_readonly(
          "policy", [](const Syllabus& s) { return s.policy().name(); }, "The policy's name.")
      .def_property_readonly(
          "settings",
          [](const Syllabus& s) {
            json settings = s.policy().settings();
            settings.update(s.scale().settings());
            return to_python(settings);
          },
          "The settings of the policy and the reward scale.")
      .def_property_readonly("seed", &Syllabus::seed, "The seed of all draws.")
      .def_property_readonly("issued", &Syllabus::issued, "Number of tickets issued so far.")
      .def_property_readonly("rounds", &Syllabus::rounds, "Number of rewards settled so far.")
      .def_property_readonly("outstanding", &Syllabus::outstanding,
                             "Number of tickets neither settled nor given up.")
      .def("__len__", [](const Syllabus& s) { return s.tasks().size(); })
      .def("__repr__", &describe)
      .def("index", &Syllabus::task_index, py::arg("task"),
           "index(self, task)\n--\n\nReturns the index of a task by name.")
      .def("probabilities", &probabilities,
           "probabilities(self)\n--\n\n"
           "Returns the distribution that draw() uses, as a dict by task name.")
      .def(
          "entropy", [](const Syllabus& s) { return entropy(s.probabilities()); },
          "entropy(self)\n--\n\nEntropy of the probabilities, in nats.")
      .def(
          "reward_range",
          [](const Syllabus& s) {
            const RewardScale::Range range = s.scale().range();
            return py::make_tuple(range.low, range.high);
          },
          "reward_range(self)\n--\n\n"
          "The raw rewards that now map to -1 and +1; both NaN before the first reward.");
  add_tickets(syllabus);
  add_tasks(syllabus);
  add_state(syllabus);
}

}  // namespace gradus::python
