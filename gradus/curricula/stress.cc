// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/stress.h"

#include <array>
#include <numeric>
#include <stdexcept>

namespace gradus {
namespace {

using Kind = Stress::Kind;
using Task = Stress::Task;

constexpr int kSymbols = 8;
constexpr int kKeyBits = 11;
constexpr std::uint32_t kTargetKey = 1 << 10;   // a bit of its own
constexpr std::uint32_t kMemorised = 16;        // sequences of a task of kind kMemory
constexpr std::uint32_t kChangedKey = 1 << 20;  // more than any key: the table after the change
constexpr std::uint32_t kRule = 1 << 21;        // from one table of a key to the next

using Table = std::array<std::uint32_t, kSymbols>;

// A random permutation that depends only on the key.
Table table_of(std::uint32_t key) {
  Random random(0, Purpose::kDataSet, key);
  Table table;
  std::iota(table.begin(), table.end(), 0u);
  shuffle(table, random);
  return table;
}

// The target, and `count` more tasks of one kind.
std::vector<Task> target_among(int count, const std::string& name, Kind kind) {
  std::vector<Task> tasks = {{"target", Kind::kTable, kTargetKey}};
  for (int i = 1; i <= count; ++i) {
    tasks.push_back({name + " " + std::to_string(i), kind, static_cast<std::uint32_t>(i)});
  }
  return tasks;
}

std::vector<Task> duplicates() {
  std::vector<Task> tasks = {{"a", Kind::kTable, 1}, {"b", Kind::kTable, 2}};
  for (int i = 1; i <= 8; ++i) tasks.push_back({"copy " + std::to_string(i), Kind::kTable, 3});
  return tasks;
}

std::vector<Task> parities() {
  std::vector<Task> tasks;
  for (const int length : {2, 3, 4, 6, 8, 12}) {
    tasks.push_back({"parity " + std::to_string(length), Kind::kParity, 1, length});
  }
  return tasks;
}

std::vector<Task> lengths() {
  std::vector<Task> tasks;
  for (std::uint32_t key = 1; key <= 4; ++key) {
    const int length = 2 << 2 * (key - 1);
    tasks.push_back({"length " + std::to_string(length), Kind::kTable, key, length});
  }
  return tasks;
}

std::vector<Task> contradictions() {
  std::vector<Task> tasks = {{"steady", Kind::kTable, 2}};
  for (std::uint32_t rule = 1; rule <= 3; ++rule) {
    tasks.push_back({"rule " + std::to_string(rule), Kind::kTable, 1, 8, rule});
  }
  return tasks;
}

std::vector<Task> tasks_of(Scenario scenario) {
  switch (scenario) {
    case Scenario::kFreshNoise:
      return target_among(7, "noise", Kind::kNoise);
    case Scenario::kFixedNoise:
      return target_among(7, "memory", Kind::kMemory);
    case Scenario::kLearned:
      return target_among(7, "easy", Kind::kConstant);
    case Scenario::kDuplicates:
      return duplicates();
    case Scenario::kNeedle:
      return target_among(999, "noise", Kind::kNoise);
    case Scenario::kPrerequisite:
      return parities();
    case Scenario::kLengths:
      return lengths();
    case Scenario::kChange:
      return {{"changing", Kind::kChanging, 1},
              {"steady 1", Kind::kTable, 2},
              {"steady 2", Kind::kTable, 3},
              {"steady 3", Kind::kTable, 4}};
    case Scenario::kContradiction:
      return contradictions();
  }
  return {};
}

std::optional<int> target_of(const std::vector<Task>& tasks) {
  if (tasks.front().name == "target") return 0;
  if (tasks.front().kind == Kind::kParity) return static_cast<int>(tasks.size()) - 1;
  return std::nullopt;
}

const std::vector<std::string>& scenario_names() {
  static const std::vector<std::string> names = {"fresh-noise", "fixed-noise", "learned",
                                                 "duplicates",  "needle",      "prerequisite",
                                                 "lengths",     "change",      "contradiction"};
  return names;
}

// A sequence with random inputs below `bound` and no outputs yet.
Sequence with_inputs(const Task& task, std::uint32_t bound, Random& random) {
  Sequence sequence;
  sequence.bits.assign(task.length, task.key);
  sequence.scored.assign(task.length, 1);
  sequence.targets.assign(task.length, 0);
  for (int t = 0; t < task.length; ++t) {
    sequence.tokens.push_back(static_cast<std::int32_t>(random.below(bound)));
  }
  return sequence;
}

Sequence mapped(const Task& task, const Table& table, Random& random) {
  Sequence sequence = with_inputs(task, kSymbols, random);
  for (int t = 0; t < task.length; ++t) sequence.targets[t] = table[sequence.tokens[t]];
  return sequence;
}

Sequence noise(const Task& task, Random& random) {
  Sequence sequence = with_inputs(task, kSymbols, random);
  for (std::uint32_t& target : sequence.targets) target = random.below(kSymbols);
  return sequence;
}

Sequence memorised(const Task& task, Random& random) {
  Random fixed(0, Purpose::kDataSet, task.key, 1 + random.below(kMemorised));
  return noise(task, fixed);
}

Sequence parity(const Task& task, Random& random) {
  Sequence sequence = with_inputs(task, 2, random);
  const int ones = std::accumulate(sequence.tokens.begin(), sequence.tokens.end(), 0);
  sequence.scored.assign(task.length, 0);
  sequence.scored.back() = 1;
  sequence.targets.back() = ones % 2;
  return sequence;
}

}  // namespace

CurriculumEntry entry_of(const StressSettings&) {
  return {"stress",
          "stress",
          "tiny tasks on which a policy may do worse than uniform sampling",
          {"network.cells=32", "optimiser.learning_rate=3e-4", "batch=8", "steps=1_000_000",
           "evaluation.interval=5_000"},
          "",
          "",
          "stress.scenario"};
}

std::vector<Setting> settings_of(StressSettings& s) {
  return {
      {.key = "stress.scenario",
       .help = "what makes the choice of tasks hard (docs/stress.md)",
       .value = EnumValue(&s.scenario),
       .choices = scenario_names()},
      {"stress.change_after",
       "scenario \"change\": batches of the changing task before its data change",
       &s.change_after,
       {0, kLargestCount}},
  };
}

CurriculumDescription description_of(const StressSettings& settings) {
  const std::string& name = scenario_names()[static_cast<std::size_t>(settings.scenario)];
  // A strict goal also counts what happens after a task is almost learned. In a needle run, the
  // network unlearns a little between two batches of the target.
  const double solved = settings.scenario == Scenario::kNeedle ? 0.1 : 0.01;
  CurriculumDescription description = {.title = "the stress scenario " + name};
  description.is_solvable = settings.scenario != Scenario::kContradiction;
  if (description.is_solvable) description.solved = solved;
  return description;
}

std::unique_ptr<Curriculum> make_curriculum(const StressSettings& settings, const Note&) {
  return std::make_unique<Stress>(settings);
}

Stress::Stress(const StressSettings& settings)
    : settings_(checked(settings)), tasks_(tasks_of(settings.scenario)) {
  data_.input = {.tokens = kSymbols, .bits = kKeyBits, .reals = 0};
  data_.output = {OutputKind::kSoftmax, kSymbols};
  for (const Task& task : tasks_) names_.push_back(task.name);
  target_ = target_of(tasks_);
}

Sequence Stress::make_sequence(const Task& task, Split split, Random& random) const {
  const bool held_out = split == Split::kHeldOut;
  switch (task.kind) {
    case Kind::kTable:
      return mapped(task, table_of(task.key + kRule * task.rule), random);
    case Kind::kNoise:
      return noise(task, random);
    case Kind::kMemory:
      return held_out ? noise(task, random) : memorised(task, random);
    case Kind::kConstant:
      return mapped(task, Table{}, random);
    case Kind::kParity:
      return parity(task, random);
    case Kind::kChanging: {
      const auto batch = static_cast<std::int64_t>(random.index());
      const bool evaluated = random.purpose() == Purpose::kHeldOutBatch;
      const bool changed = evaluated || batch >= settings_.change_after;
      return mapped(task, table_of(changed ? kChangedKey + task.key : task.key), random);
    }
  }
  throw std::logic_error("Stress: no such kind of task");
}

Batch Stress::sample(int task, int count, Split split, Random& random) const {
  std::vector<Sequence> sequences;
  sequences.reserve(count);
  for (int i = 0; i < count; ++i) sequences.push_back(make_sequence(tasks_[task], split, random));
  return make_batch(sequences, data_);
}

std::string Stress::describe(int task, Random& random) const {
  const Sequence sequence = make_sequence(tasks_[task], Split::kTraining, random);
  std::string inputs = "input ";
  std::string outputs = "output";
  for (int t = 0; t < sequence.length(); ++t) {
    inputs += " " + std::to_string(sequence.tokens[t]);
    outputs += sequence.scored[t] != 0 ? " " + std::to_string(sequence.targets[t]) : " -";
  }
  return "task " + names_[task] + ", key " + std::to_string(tasks_[task].key) + "\n" + inputs +
         "\n" + outputs;
}

}  // namespace gradus
