// SPDX-License-Identifier: Apache-2.0
#include "tests/nn/random_batch.h"

#include "gradus/core/random.h"

namespace gradus {
namespace {

Sequence random_sequence(const DataSpec& spec, int length, Random& random) {
  Sequence sequence;
  const InputSpec& input = spec.input;
  for (int t = 0; t < length; ++t) {
    if (input.tokens > 0) {
      sequence.tokens.push_back(static_cast<int>(random.below(input.tokens + 1)) - 1);
    }
    if (input.bits > 0) sequence.bits.push_back(random.below(1u << input.bits));
    for (int r = 0; r < input.reals; ++r) {
      sequence.reals.push_back(static_cast<float>(random.normal()));
    }
    sequence.scored.push_back(random.coin() ? 1 : 0);
    const bool softmax = spec.output.kind == OutputKind::kSoftmax;
    sequence.targets.push_back(random.below(softmax ? spec.output.width : 1u << spec.output.width));
  }
  sequence.scored[random.below(length)] = 1;
  return sequence;
}

}  // namespace

DataSpec mixed_data(OutputKind kind, int outputs) {
  return {{.tokens = 4, .bits = 3, .reals = 2}, {kind, outputs}};
}

std::vector<Sequence> random_sequences(const DataSpec& spec, int count, int max_length,
                                       std::uint64_t seed) {
  Random random(seed, Purpose::kSample, 0);
  std::vector<Sequence> sequences;
  for (int i = 0; i < count; ++i) {
    sequences.push_back(
        random_sequence(spec, 1 + static_cast<int>(random.below(max_length)), random));
  }
  return sequences;
}

Batch random_batch(const DataSpec& spec, int count, int max_length, std::uint64_t seed) {
  return make_batch(random_sequences(spec, count, max_length, seed), spec);
}

}  // namespace gradus
