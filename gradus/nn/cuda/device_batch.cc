// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/device_batch.h"

#include <cstring>

namespace gradus::cuda {
namespace {

static_assert(sizeof(int) == 4 && sizeof(float) == 4);

// Copies the real steps of a (T, B, width) array of 4-byte numbers.
template <typename T>
void copy_rows(const std::vector<T>& from, int width, const std::vector<int>& starts, int sequences,
               std::uint32_t* to) {
  for (std::size_t t = 0; t + 1 < starts.size(); ++t) {
    const std::size_t active = starts[t + 1] - starts[t];
    std::memcpy(to + static_cast<std::size_t>(starts[t]) * width,
                from.data() + t * sequences * width, active * width * 4);
  }
}

}  // namespace

void DeviceBatch::send(const Batch& batch, const DataSpec& spec, cudaStream_t stream) {
  starts_.assign(1, 0);
  int running = batch.sequences;
  for (int t = 0; t < batch.steps; ++t) {
    while (batch.lengths[running - 1] <= t) --running;
    starts_.push_back(starts_[t] + running);
  }
  const int rows = starts_.back();
  const std::size_t size =
      (batch.steps + 2) + batch.sequences + static_cast<std::size_t>(rows) * (4 + spec.input.reals);
  staging_.reserve(size);
  words_.reserve(size);

  std::size_t used = 0;
  // Takes the next `count` words. Returns their addresses on the host and on the GPU.
  const auto take = [&](std::size_t count) {
    const std::size_t at = used;
    used += count;
    return std::pair(staging_.data() + at, words_.data() + at);
  };
  const auto [starts, device_starts] = take(batch.steps + 2);
  std::memcpy(starts, starts_.data(), starts_.size() * 4);
  starts[batch.steps + 1] = static_cast<std::uint32_t>(rows);
  const auto [lengths, device_lengths] = take(batch.sequences);
  std::memcpy(lengths, batch.lengths.data(), batch.lengths.size() * 4);
  rows_ = {reinterpret_cast<const int*>(device_starts),
           reinterpret_cast<const int*>(device_lengths), batch.sequences, batch.steps, rows};

  data_ = {};
  const auto [targets, device_targets] = take(rows);
  copy_rows(batch.targets, 1, starts_, batch.sequences, targets);
  data_.targets = device_targets;
  const auto [scored, device_scored] = take(rows);
  for (int t = 0; t < batch.steps; ++t) {
    for (int b = 0; b < starts_[t + 1] - starts_[t]; ++b) {
      scored[starts_[t] + b] = batch.scored[static_cast<std::size_t>(t) * batch.sequences + b];
    }
  }
  data_.scored = device_scored;
  if (spec.input.tokens > 0) {
    const auto [tokens, device_tokens] = take(rows);
    copy_rows(batch.tokens, 1, starts_, batch.sequences, tokens);
    data_.tokens = reinterpret_cast<const std::int32_t*>(device_tokens);
  }
  if (spec.input.bits > 0) {
    const auto [bits, device_bits] = take(rows);
    copy_rows(batch.bits, 1, starts_, batch.sequences, bits);
    data_.bits = device_bits;
  }
  if (spec.input.reals > 0) {
    const auto [reals, device_reals] = take(static_cast<std::size_t>(rows) * spec.input.reals);
    copy_rows(batch.reals, spec.input.reals, starts_, batch.sequences, reals);
    data_.reals = reinterpret_cast<const float*>(device_reals);
  }
  check(cudaMemcpyAsync(words_.data(), staging_.data(), used * 4, cudaMemcpyHostToDevice, stream),
        "copying a batch to the GPU");
}

}  // namespace gradus::cuda
