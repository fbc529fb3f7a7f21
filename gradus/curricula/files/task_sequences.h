// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::files {

/// All sequences of one task, stored contiguously: 8 bytes per step. A reader adds steps with the
/// numbers of a SymbolCounter; once all tasks are read, renumber() turns the numbers into tokens.
class TaskSequences {
 public:
  /// Adds a step to the current sequence: its input and its target. kNoToken means nothing to read
  /// or nothing to score.
  void add_step(std::int32_t input, std::int32_t target);
  /// Ends the current sequence. REQUIRES that at least one of its steps has a target.
  void end_sequence() { ends_.push_back(inputs_.size()); }

  void renumber(const Vocabulary& vocabulary);

  std::size_t size() const { return ends_.size(); }
  std::size_t steps() const { return inputs_.size(); }
  Sequence sequence(std::size_t index) const;
  /// Equal for equal sequences (core/hash.h).
  std::uint64_t fingerprint(std::size_t index) const;

 private:
  std::size_t begin_of(std::size_t index) const { return index == 0 ? 0 : ends_[index - 1]; }

  std::vector<std::int32_t> inputs_;
  std::vector<std::int32_t> targets_;
  std::vector<std::size_t> ends_;
};

}  // namespace gradus::files
