// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/fast/inputs.h"

#include "gradus/nn/cpu/inputs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/nn/cpu/fast/inputs.cc"
#include "gradus/nn/cpu/fast/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradus::fast {
namespace HWY_NAMESPACE {

constexpr int kGates = 4 * kBlock;
constexpr int kVectors = kGates / kLanes;

void StartGates(int rows, const float* HWY_RESTRICT bias, const SparseInputs* inputs,
                std::size_t first, std::size_t stride, const float* HWY_RESTRICT packed,
                float* HWY_RESTRICT z) {
  const FloatTag d;
  for (int row = 0; row < rows; ++row, z += kGates) {
    Vec sum[kVectors];
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::LoadU(d, bias + v * kLanes);
    if (inputs) {
      for (const SparseInputs::Entry& entry : inputs->row(first + row_of_quads(row, stride))) {
        const float* from = packed + static_cast<std::size_t>(entry.input) * kGates;
        const Vec value = hn::Set(d, entry.value);
        for (int v = 0; v < kVectors; ++v) {
          sum[v] = hn::MulAdd(value, hn::LoadU(d, from + v * kLanes), sum[v]);
        }
      }
    }
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, z + v * kLanes);
  }
}

// Adds factor * the 64 numbers of `from` to row `row` of the four destinations.
HWY_INLINE void AddGates(const float* from, float factor, int row,
                         std::span<const Destination, 4> to) {
  const FloatTag d;
  for (int gate = 0; gate < 4; ++gate) {
    float* out = to[gate].data + row * to[gate].row;
    for (int lane = 0; lane < kBlock; lane += kLanes) {
      const Vec v = hn::Mul(hn::Set(d, factor), hn::LoadU(d, from + gate * kBlock + lane));
      AddTo(v, to[gate].columns - lane, out + lane);
    }
  }
}

void AddInputGradient(std::span<const Stretch> stretches, const float* HWY_RESTRICT gates,
                      const SparseInputs* inputs, std::span<const Destination, 4> bias,
                      std::span<const Destination, 4> input) {
  const FloatTag d;
  // Sum each call separately, then add the total: it loses less to rounding.
  Vec sum[kVectors];
  for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
  for (const Stretch& stretch : stretches) {
    for (std::size_t row = stretch.b; row < stretch.b + stretch.count; ++row) {
      const float* from = gates + row * kGates;
      for (int v = 0; v < kVectors; ++v) {
        sum[v] = hn::Add(sum[v], hn::LoadU(d, from + v * kLanes));
      }
      if (!inputs) continue;
      for (const SparseInputs::Entry& entry : inputs->row(row)) {
        AddGates(from, entry.value, entry.input, input);
      }
    }
  }
  HWY_ALIGN float total[kGates];
  for (int v = 0; v < kVectors; ++v) hn::Store(sum[v], d, total + v * kLanes);
  AddGates(total, 1.0f, 0, bias);
}

}  // namespace HWY_NAMESPACE
}  // namespace gradus::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::fast {

HWY_EXPORT(StartGates);
HWY_EXPORT(AddInputGradient);

void start_gates(int rows, const float* bias, const SparseInputs* inputs, std::size_t first,
                 std::size_t stride, const float* packed, float* z) {
  HWY_DYNAMIC_DISPATCH(StartGates)(rows, bias, inputs, first, stride, packed, z);
}

void add_input_gradient(std::span<const Stretch> stretches, const float* gates,
                        const SparseInputs* inputs, std::span<const Destination, 4> bias,
                        std::span<const Destination, 4> input) {
  HWY_DYNAMIC_DISPATCH(AddInputGradient)(stretches, gates, inputs, bias, input);
}

void SparseInputs::clear() {
  entries_.clear();
  first_.assign(1, 0);
}

void SparseInputs::add_row(const Batch& batch, const InputSpec& spec, std::size_t cell) {
  for_each_input(batch, spec, cell, [this](int row, float value) {
    entries_.push_back({row, value});
  });
  first_.push_back(entries_.size());
}

}  // namespace gradus::fast
#endif
