// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gradus::cuda {

/// The real steps of a batch, in GPU memory. As on the CPU, only real steps have rows: step t of
/// sequence b is row starts[t] + b, and the sequences longer than t are a prefix. M rows.
struct Rows {
  const int* starts = nullptr;   ///< (T + 2); the last two are M
  const int* lengths = nullptr;  ///< (B), non-increasing
  int sequences = 0;             ///< B
  int steps = 0;                 ///< T
  int count = 0;                 ///< M
};

/// Contents of a batch's rows. A field that the data does not have is null.
struct RowData {
  const std::int32_t* tokens = nullptr;    ///< (M)
  const std::uint32_t* bits = nullptr;     ///< (M)
  const float* reals = nullptr;            ///< (M, input.reals)
  const std::uint32_t* targets = nullptr;  ///< (M)
  const std::uint32_t* scored = nullptr;   ///< (M) 1 or 0
};

}  // namespace gradus::cuda
