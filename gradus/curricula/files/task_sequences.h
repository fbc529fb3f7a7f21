#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::files {

/// All sequences of one task, one after the other: 8 bytes a step. A reader fills it with the
/// numbers of a SymbolCounter; renumber() turns those into tokens once all tasks are read.
class TaskSequences {
 public:
  /// One step of the sequence being read: what goes in and what must come out, kNoToken for nothing
  /// to read or nothing to score.
  void add_step(std::int32_t input, std::int32_t target);
  /// Ends a sequence. REQUIRES a step with a target since the last end.
  void end_sequence() { ends_.push_back(inputs_.size()); }

  void renumber(const Vocabulary& vocabulary);

  std::size_t size() const { return ends_.size(); }
  std::size_t steps() const { return inputs_.size(); }
  Sequence sequence(std::size_t index) const;
  /// Equal for equal sequences, different for different ones but for a chance of 2^-64.
  std::uint64_t fingerprint(std::size_t index) const;

 private:
  std::size_t begin_of(std::size_t index) const { return index == 0 ? 0 : ends_[index - 1]; }

  std::vector<std::int32_t> inputs_;
  std::vector<std::int32_t> targets_;
  std::vector<std::size_t> ends_;
};

}  // namespace gradus::files
