// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/batch.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace gradus {
namespace {

[[noreturn]] void refuse(std::size_t index, const std::string& reason) {
  throw std::logic_error("sequence " + std::to_string(index) + " of a batch " + reason);
}

void check_field(std::size_t index, const char* field, std::size_t size, std::size_t expected) {
  if (size == expected) return;
  refuse(index, std::string("has ") + std::to_string(size) + " " + field + ", expected " +
                    std::to_string(expected));
}

std::uint64_t bit_values(int width) {
  return std::uint64_t{1} << width;
}

void check(const Sequence& sequence, std::size_t index, const DataSpec& spec) {
  const std::size_t steps = sequence.scored.size();
  if (steps == 0) refuse(index, "is empty");
  check_field(index, "tokens", sequence.tokens.size(), spec.input.tokens > 0 ? steps : 0);
  check_field(index, "bit vectors", sequence.bits.size(), spec.input.bits > 0 ? steps : 0);
  check_field(index, "reals", sequence.reals.size(), steps * spec.input.reals);
  check_field(index, "targets", sequence.targets.size(), steps);
  for (const std::int32_t token : sequence.tokens) {
    if (token < kNoToken || token >= spec.input.tokens) {
      refuse(index, "has token " + std::to_string(token) + " outside its vocabulary of " +
                        std::to_string(spec.input.tokens));
    }
  }
  for (const std::uint32_t bits : sequence.bits) {
    if (bits >= bit_values(spec.input.bits)) refuse(index, "sets an input bit that does not exist");
  }
  const std::uint64_t values = spec.output.kind == OutputKind::kSoftmax
                                   ? static_cast<std::uint64_t>(spec.output.width)
                                   : bit_values(spec.output.width);
  bool scores = false;
  for (std::size_t t = 0; t < steps; ++t) {
    if (sequence.scored[t] == 0) continue;
    if (sequence.scored[t] != 1) refuse(index, "has a value of scored other than 0 and 1");
    scores = true;
    if (sequence.targets[t] >= values) {
      refuse(index, "has target " + std::to_string(sequence.targets[t]) + ", expected less than " +
                        std::to_string(values));
    }
  }
  if (!scores) refuse(index, "scores no output");
}

// Copies one sequence's (length, width) array into column b of `to`, which is (T, B, width). Both
// are empty if the field is not used.
template <typename T>
void put_column(const std::vector<T>& from, std::size_t width, std::size_t b, std::size_t columns,
                std::vector<T>& to) {
  for (std::size_t r = 0; r < width; ++r) {
    std::size_t cell = b * width + r;
    for (std::size_t i = r; i < from.size(); i += width, cell += columns * width) {
      to[cell] = from[i];
    }
  }
}

}  // namespace

std::int64_t Batch::input_steps() const {
  return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
}

std::int64_t Batch::outputs() const {
  return std::accumulate(scored.begin(), scored.end(), std::int64_t{0});
}

Batch make_batch(std::span<const Sequence> sequences, const DataSpec& spec) {
  if (sequences.empty()) throw std::logic_error("make_batch: no sequences");
  for (std::size_t i = 0; i < sequences.size(); ++i) check(sequences[i], i, spec);

  std::vector<std::size_t> order(sequences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sequences[a].length() > sequences[b].length();
  });

  Batch batch;
  batch.sequences = static_cast<int>(sequences.size());
  batch.steps = sequences[order[0]].length();
  const std::size_t cells = static_cast<std::size_t>(batch.steps) * batch.sequences;
  const std::size_t reals = spec.input.reals;
  batch.tokens.assign(spec.input.tokens > 0 ? cells : 0, kNoToken);
  batch.bits.assign(spec.input.bits > 0 ? cells : 0, 0);
  batch.reals.assign(cells * reals, 0.0f);
  batch.scored.assign(cells, 0);
  batch.targets.assign(cells, 0);
  for (std::size_t b = 0; b < order.size(); ++b) {
    const Sequence& sequence = sequences[order[b]];
    batch.lengths.push_back(sequence.length());
    put_column(sequence.tokens, 1, b, order.size(), batch.tokens);
    put_column(sequence.bits, 1, b, order.size(), batch.bits);
    put_column(sequence.reals, reals, b, order.size(), batch.reals);
    put_column(sequence.scored, 1, b, order.size(), batch.scored);
    put_column(sequence.targets, 1, b, order.size(), batch.targets);
  }
  return batch;
}

Batch slice(const Batch& batch, int first, int count) {
  if (first < 0 || count < 1 || count > batch.sequences - first) {
    throw std::logic_error("slice: " + std::to_string(count) + " sequences from number " +
                           std::to_string(first) + " of a batch of " +
                           std::to_string(batch.sequences));
  }
  Batch part;
  part.sequences = count;
  part.steps = batch.lengths[first];
  part.lengths.assign(batch.lengths.begin() + first, batch.lengths.begin() + first + count);
  // Columns [first, first + count) of the first `part.steps` rows of a (T, B, width) array.
  const auto columns = [&]<typename T>(const std::vector<T>& from) {
    const std::size_t width =
        from.size() / (static_cast<std::size_t>(batch.steps) * batch.sequences);
    std::vector<T> to;
    to.reserve(static_cast<std::size_t>(part.steps) * count * width);
    for (int t = 0; t < part.steps && width > 0; ++t) {
      const auto row =
          from.begin() + (static_cast<std::size_t>(t) * batch.sequences + first) * width;
      to.insert(to.end(), row, row + count * width);
    }
    return to;
  };
  part.tokens = columns(batch.tokens);
  part.bits = columns(batch.bits);
  part.reals = columns(batch.reals);
  part.scored = columns(batch.scored);
  part.targets = columns(batch.targets);
  return part;
}

}  // namespace gradus
