// SPDX-License-Identifier: Apache-2.0
// An endless stream of sample indices, reshuffled for every pass over a data set, and the seeds of
// samples.

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gradus/core/error.h"
#include "gradus/core/hash.h"
#include "gradus/core/random.h"
#include "python/bindings/bindings.h"
#include "python/bindings/settings.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

// Folded to 24 bits. Tasks that collide share the same random numbers, which is harmless.
std::uint32_t lane_of(const std::string& task) {
  const std::uint32_t hash = name_hash32(task);
  return (hash ^ hash >> 24) & 0xffffffu;
}

std::uint64_t checked_position(std::int64_t position) {
  if (position >= 0) return static_cast<std::uint64_t>(position);
  throw InputError("position is " + std::to_string(position) + ", expected 0 or more");
}

std::uint64_t sample_seed(const std::string& task, std::int64_t position, std::uint64_t seed) {
  Random random(seed, Purpose::kSampleSeed, checked_position(position), lane_of(task));
  const std::uint64_t high = random();
  return high << 32 | random();
}

// index() is a pure function of (seed, task, size, position), so only the position is saved.
class Shuffle {
 public:
  Shuffle(const std::string& task, std::int64_t size, std::uint64_t seed)
      : task_(task), seed_(seed), lane_(lane_of(task)), order_(checked(task, size)) {}

  const std::string& task() const { return task_; }
  std::size_t size() const { return order_.size(); }
  std::uint64_t seed() const { return seed_; }

  std::uint32_t index(std::int64_t position) {
    checked_position(position);
    const auto size = static_cast<std::int64_t>(order_.size());
    if (position / size != pass_) start_pass(position / size);
    return order_[position % size];
  }

 private:
  static std::size_t checked(const std::string& task, std::int64_t size) {
    if (size >= 1 && size <= 0xffffffffll) return static_cast<std::size_t>(size);
    throw InputError("the data set of task \"" + task + "\" has " + std::to_string(size) +
                     " samples, expected 1..4294967295");
  }

  void start_pass(std::int64_t pass) {
    std::iota(order_.begin(), order_.end(), 0u);
    Random random(seed_, Purpose::kShuffle, static_cast<std::uint64_t>(pass), lane_);
    shuffle(order_, random);
    pass_ = pass;
  }

  std::string task_;
  std::uint64_t seed_;
  std::uint32_t lane_;
  std::int64_t pass_ = -1;
  std::vector<std::uint32_t> order_;
};

}  // namespace

void add_shuffle(py::module_& module) {
  py::class_<Shuffle>(
      module, "Shuffle",
      "Shuffle(task, size, seed=1)\n--\n\n"
      "An endless, shuffled order of a task's samples. Every pass over the data is a permutation,\n"
      "and index(position) depends only on the seed, the task's name, `size` and the position.")
      .def(py::init([](const std::string& task, std::int64_t size, py::handle seed) {
             return Shuffle(task, size, read_seed(seed));
           }),
           py::arg("task"), py::arg("size"), py::arg("seed") = 1,
           "__init__(self, task, size, seed=1)\n--\n\n")
      .def("index", &Shuffle::index, py::arg("position"),
           "index(self, position)\n--\n\nReturns the sample at a position, counted from 0.")
      .def(py::pickle([](const Shuffle& s) { return py::make_tuple(s.task(), s.size(), s.seed()); },
                      [](const py::tuple& saved) {
                        return Shuffle(saved[0].cast<std::string>(), saved[1].cast<std::int64_t>(),
                                       saved[2].cast<std::uint64_t>());
                      }))
      .def("__reduce_ex__", &reduce);
  module.def(
      "sample_seed",
      [](const std::string& task, std::int64_t position, py::handle seed) {
        return sample_seed(task, position, read_seed(seed));
      },
      py::arg("task"), py::arg("position"), py::arg("seed") = 1,
      "sample_seed(task, position, seed=1)\n--\n\n"
      "Returns a number below 2^64 that depends only on the arguments: a seed for the "
      "augmentation\n"
      "of the sample that a task gives at a position.");
}

}  // namespace gradus::python
