// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/padding.h"

#include <algorithm>

namespace gradus::cuda {

Padding::Padding(const ParameterLayout& narrow, const ParameterLayout& wide, std::size_t stride,
                 std::size_t trained)
    : trained_(trained) {
  const std::size_t weights = narrow.parameters();
  const std::size_t copies = trained / weights;
  for (std::size_t copy = 0; copy < copies; ++copy) {
    for (std::size_t s = 0; s < narrow.slices().size(); ++s) {
      const Slice& from = narrow.slices()[s];
      const Slice& to = wide.slices()[s];
      // If the number of columns depends on the cells, each gate's columns are padded.
      const std::size_t parts = from.columns == to.columns ? 1 : 4 * from.rows;
      for (std::size_t part = 0; part < parts; ++part) {
        stretches_.push_back({copy * weights + from.offset + part * (from.columns / 4),
                              copy * stride + to.offset + part * (to.columns / 4),
                              from.size() / parts});
      }
    }
  }
  const std::size_t rest = trained - copies * weights;
  stretches_.push_back({copies * weights, copies * stride, rest});
  padded_ = copies * stride + rest;
}

std::vector<float> Padding::pad(const std::vector<float>& narrow) const {
  std::vector<float> wide(padded_, 0.0f);
  for (const Stretch& stretch : stretches_) {
    std::copy_n(narrow.data() + stretch.narrow, stretch.count, wide.data() + stretch.wide);
  }
  return wide;
}

std::vector<float> Padding::strip(const std::vector<float>& wide) const {
  std::vector<float> narrow(trained_);
  for (const Stretch& stretch : stretches_) {
    std::copy_n(wide.data() + stretch.wide, stretch.count, narrow.data() + stretch.narrow);
  }
  return narrow;
}

}  // namespace gradus::cuda
