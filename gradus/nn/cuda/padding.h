// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/nn/layout.h"

namespace gradus::cuda {

/// Maps the numbers of a network to those of one with as many cells or more, whose additional
/// numbers are 0. The padded network computes the same: cells whose weights are all 0 stay 0.
class Padding {
 public:
  /// `trained` is Q: the arrays hold k values per weight, plus extras that belong to no weight. In
  /// the padded arrays, each set of values takes `stride` numbers. REQUIRES stride >=
  /// wide.parameters().
  Padding(const ParameterLayout& narrow, const ParameterLayout& wide, std::size_t stride,
          std::size_t trained);

  std::size_t trained() const { return trained_; }
  /// The padded Q.
  std::size_t padded() const { return padded_; }
  std::vector<float> pad(const std::vector<float>& narrow) const;
  std::vector<float> strip(const std::vector<float>& wide) const;

 private:
  // Numbers that are consecutive in both arrays.
  struct Stretch {
    std::size_t narrow, wide, count;
  };

  std::size_t trained_;
  std::size_t padded_;
  std::vector<Stretch> stretches_;
};

}  // namespace gradus::cuda
