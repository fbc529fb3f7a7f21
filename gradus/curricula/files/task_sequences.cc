// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/task_sequences.h"

#include "gradus/core/hash.h"

namespace gradus::files {

void TaskSequences::add_step(std::int32_t input, std::int32_t target) {
  inputs_.push_back(input);
  targets_.push_back(target);
}

void TaskSequences::renumber(const Vocabulary& vocabulary) {
  for (std::int32_t& input : inputs_) input = vocabulary.token(input);
  for (std::int32_t& target : targets_) target = vocabulary.token(target);
}

Sequence TaskSequences::sequence(std::size_t index) const {
  const std::size_t first = begin_of(index);
  const std::size_t steps = ends_[index] - first;
  Sequence sequence;
  sequence.tokens.assign(inputs_.begin() + first, inputs_.begin() + ends_[index]);
  sequence.scored.resize(steps);
  sequence.targets.resize(steps);
  for (std::size_t t = 0; t < steps; ++t) {
    const std::int32_t target = targets_[first + t];
    sequence.scored[t] = target == kNoToken ? 0 : 1;
    sequence.targets[t] = target == kNoToken ? 0 : static_cast<std::uint32_t>(target);
  }
  return sequence;
}

std::uint64_t TaskSequences::fingerprint(std::size_t index) const {
  Fingerprint fingerprint;
  for (std::size_t i = begin_of(index); i < ends_[index]; ++i) {
    fingerprint.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(inputs_[i])) << 32 |
                    static_cast<std::uint32_t>(targets_[i]));
  }
  return fingerprint.value();
}

}  // namespace gradus::files
