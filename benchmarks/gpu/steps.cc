// SPDX-License-Identifier: Apache-2.0
// Cost of one time step of one layer in the time loops, which run a layer over all time steps:
//
//   gpu_steps
//
// Needs a Hopper GPU.

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

#include "gradus/core/random.h"
#include "gradus/nn/cuda/buffer.h"
#include "gradus/nn/cuda/stream.h"
#include "gradus/nn/cuda/time_loop.h"

namespace {

using namespace gradus::cuda;

constexpr int kSteps = 150;
constexpr int kRepeats = 20;
constexpr int kBits = 10;  // few inputs

template <typename T>
void send(const std::vector<T>& values, Buffer<T>& to) {
  to.reserve(values.size());
  check(cudaMemcpy(to.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
        "copying to the GPU");
}

template <typename T>
std::vector<T> random_numbers(std::size_t count, float range) {
  gradus::Random random(1, gradus::Purpose::kSample, count);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = range * static_cast<float>(2 * random.uniform() - 1);
  return numbers;
}

std::vector<std::uint32_t> random_bits(std::size_t count) {
  gradus::Random random(1, gradus::Purpose::kSample, count);
  std::vector<std::uint32_t> rows(count);
  for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(random.below(1 << kBits));
  return rows;
}

// Microseconds per step, averaged over many time loops.
template <typename Launch>
double time_step(const Stream& stream, Launch launch) {
  launch();
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "creating an event");
  check(cudaEventCreate(&end), "creating an event");
  check(cudaEventRecord(start, stream), "recording an event");
  for (int i = 0; i < kRepeats; ++i) launch();
  check(cudaEventRecord(end, stream), "recording an event");
  stream.wait();
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start, end), "reading elapsed time");
  check(cudaEventDestroy(start), "destroying an event");
  check(cudaEventDestroy(end), "destroying an event");
  return 1e3 * milliseconds / kRepeats / kSteps;
}

void measure(int cells, int sequences, int group) {
  const std::size_t h = cells;
  const std::size_t rows = static_cast<std::size_t>(kSteps) * sequences;
  std::vector<int> first_rows;
  for (int t = 0; t <= kSteps; ++t) first_rows.push_back(t * sequences);
  first_rows.push_back(first_rows.back());
  Buffer<int> starts, lengths, overflow(1);
  send(first_rows, starts);
  send(std::vector<int>(sequences, kSteps), lengths);
  Buffer<float> bias, gates, hidden_gradient, cell_states(rows * h);
  send(random_numbers<float>(4 * h, 0.04f), bias);
  Buffer<float> input_weights;
  Buffer<std::uint32_t> bits;
  send(random_numbers<float>(kBits * 4 * h, 0.04f), input_weights);
  send(random_bits(rows), bits);
  send(random_numbers<float>(rows * 4 * h, 1), gates);
  send(random_numbers<float>(rows * h, 1), hidden_gradient);
  const int leading = cells + 8;
  Buffer<__half> weights, hidden(rows * leading), previous(rows * leading),
      gate_gradient(rows * 4 * h);
  // The order of the weights makes no difference here.
  send(random_numbers<__half>(4 * h * h, 0.04f), weights);

  const Stream stream;
  const Rows all{starts.data(), lengths.data(), sequences, kSteps, static_cast<int>(rows)};
  ForwardTimeLoop forward{.rows = all,
                          .inputs = {},
                          .end = kSteps,
                          .weights = weights.data(),
                          .bias = bias.data(),
                          .gates = gates.data(),
                          .cells = cell_states.data(),
                          .hidden = hidden.data(),
                          .leading = leading,
                          .previous = previous.data(),
                          .previous_leading = leading};
  const BackwardTimeLoop backward{.rows = all,
                                  .end = kSteps,
                                  .weights = weights.data(),
                                  .gates = gates.data(),
                                  .cells = cell_states.data(),
                                  .hidden_gradient = hidden_gradient.data(),
                                  .gate_gradient = gate_gradient.data(),
                                  .limit = {10 * 1024, overflow.data()}};
  const auto time_forward = [&] {
    return time_step(stream, [&] { forward_time_loop(cells, group, forward, stream); });
  };
  const double back =
      time_step(stream, [&] { backward_time_loop(cells, group, backward, stream); });
  const double kept = time_forward();
  forward.keep = false;
  const double plain = time_forward();
  forward.inputs = {input_weights.data(), {.bits = kBits}, {.bits = bits.data()}};
  const double plain_few = time_forward();
  forward.keep = true;
  const double kept_few = time_forward();
  std::printf("%5d  %9d  %5d  %7.2f  %11.2f  %10.2f  %11.2f  %8.2f\n", cells, sequences, group,
              kept, plain, kept_few, plain_few, back);
}

}  // namespace

int main() {
  try {
    std::puts(
        "microseconds per step\n"
        "cells  sequences  group  forward  not keeping  few inputs  not keeping  backward");
    for (const int cells : {128, 256, 512}) {
      if (time_loop_width(cells) != cells) throw std::runtime_error("this GPU has no time loops");
      std::printf("%5d  clusters at once: %d\n", cells, clusters_at_once(cells));
      for (const int group : {8, 16, 32}) measure(cells, 32, group);
      measure(cells, 7 * 32, 32);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_steps: %s\n", error.what());
    return 1;
  }
}
