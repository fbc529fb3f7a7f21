// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "gradus/core/curriculum.h"
#include "gradus/core/setting.h"

namespace gradus {

/// What makes a scenario of the stress curriculum hard for a policy.
enum class Scenario {
  kFreshNoise,     ///< most tasks are noise that is new in every batch
  kFixedNoise,     ///< most tasks are a few fixed sequences of noise, which can be memorised
  kLearned,        ///< most tasks are learned within the first batches
  kDuplicates,     ///< most tasks are the same task
  kNeedle,         ///< one task of 1000 can be learned
  kPrerequisite,   ///< the target can only be learned after easier tasks
  kLengths,        ///< sequences of one task are 64 times as long as those of another
  kChange,         ///< the data of a task change half-way
  kContradiction,  ///< three tasks demand different answers to the same questions
};

struct StressSettings {
  Scenario scenario = Scenario::kFreshNoise;
  std::int64_t change_after = 300;
};
CurriculumEntry entry_of(const StressSettings& settings);
std::vector<Setting> settings_of(StressSettings& settings);
CurriculumDescription description_of(const StressSettings& settings);
std::unique_ptr<Curriculum> make_curriculum(const StressSettings& settings, const Note& note);

/// Tiny tasks on which an adaptive policy may do worse than uniform sampling; docs/stress.md
/// describes each scenario. At every step the network reads a symbol 0..7 and the bits of the
/// task's key, and predicts a symbol. Tasks with equal keys are the same to the network.
class Stress final : public Curriculum {
 public:
  enum class Kind {
    kTable,     ///< output = table[input], a permutation of the symbols that depends on the key
    kNoise,     ///< outputs are random, and so new in every batch
    kMemory,    ///< training: one of 16 fixed sequences of noise; held-out: fresh noise
    kConstant,  ///< all outputs are 0
    kParity,    ///< inputs are 0 and 1; only the last output is scored, the parity of the inputs
    kChanging,  ///< the table of the key; from batch change_after on, and in evaluations, another
  };
  struct Task {
    std::string name;
    Kind kind = Kind::kTable;
    std::uint32_t key = 0;
    int length = 8;
    std::uint32_t rule = 0;  ///< kTable: tasks of one key and different rules contradict each other
  };

  /// Throws InputError if a setting is out of range.
  explicit Stress(const StressSettings& settings);

  std::string_view name() const override { return "stress"; }
  const std::vector<std::string>& tasks() const override { return names_; }
  /// The one task that can be learned; none if all can.
  std::optional<int> target() const override { return target_; }
  const DataSpec& data() const override { return data_; }
  double total_sequences() const override { return 1e6 * static_cast<double>(tasks_.size()); }
  /// The number of the batch is random.index().
  Batch sample(int task, int count, Split split, Random& random) const override;
  std::string describe(int task, Random& random) const override;
  CurriculumDescription description() const override { return description_of(settings_); }

  const Task& task(int index) const { return tasks_[index]; }

 private:
  Sequence make_sequence(const Task& task, Split split, Random& random) const;

  StressSettings settings_;
  DataSpec data_;
  std::vector<Task> tasks_;
  std::vector<std::string> names_;
  std::optional<int> target_;
};

}  // namespace gradus
