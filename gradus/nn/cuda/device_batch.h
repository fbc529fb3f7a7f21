// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gradus/core/batch.h"
#include "gradus/nn/cuda/buffer.h"
#include "gradus/nn/cuda/rows.h"

namespace gradus::cuda {

/// A batch in GPU memory, without its padding. Memory is kept between batches.
class DeviceBatch {
 public:
  /// Queues one copy of `batch` to the GPU on `stream`. REQUIRES that the copy of the previous
  /// batch has completed.
  void send(const Batch& batch, const DataSpec& spec, cudaStream_t stream);

  const Rows& rows() const { return rows_; }
  const RowData& data() const { return data_; }
  /// (T + 1) first row of each step, on the host.
  const std::vector<int>& starts() const { return starts_; }

 private:
  std::vector<int> starts_;
  Rows rows_;
  RowData data_;
  PinnedBuffer<std::uint32_t> staging_;
  Buffer<std::uint32_t> words_;
};

}  // namespace gradus::cuda
