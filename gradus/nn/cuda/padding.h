#pragma once

#include <cstddef>
#include <vector>

#include "gradus/nn/layout.h"

namespace gradus::cuda {

/// Where the numbers of a network lie among those of one with as many cells or more, whose other
/// numbers are 0. Such a network computes the same: cells whose weights are all 0 stay 0.
class Padding {
 public:
  /// For Q numbers, `trained`: any number of times one for each weight, and some that are of no
  /// weight. Each time is `stride` numbers of the padded ones, at least wide.parameters().
  Padding(const ParameterLayout& narrow, const ParameterLayout& wide, std::size_t stride,
          std::size_t trained);

  std::size_t trained() const { return trained_; }
  /// The padded Q.
  std::size_t padded() const { return padded_; }
  std::vector<float> pad(const std::vector<float>& narrow) const;
  std::vector<float> strip(const std::vector<float>& wide) const;

 private:
  // Numbers that follow each other in both.
  struct Run {
    std::size_t narrow, wide, count;
  };

  std::size_t trained_;
  std::size_t padded_;
  std::vector<Run> runs_;
};

}  // namespace gradus::cuda
