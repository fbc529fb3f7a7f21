// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gradus/nn/spec.h"

namespace gradus {

/// A named row-major matrix within the flat parameter array. A bias has one row.
struct Slice {
  std::string name;
  std::size_t offset = 0;
  int rows = 0;
  int columns = 0;
  std::size_t size() const { return static_cast<std::size_t>(rows) * columns; }
  std::size_t end() const { return offset + size(); }
};

/// Offsets of a network's matrices within one flat array of P parameters. All back ends, files and
/// tests use this order. Gates are ordered input, forget, cell, output.
///
///   lstm<l>.input      (I or H, 4H)  row j is what input j adds to the gates, so a one-hot input
///                                    is a row look-up
///   lstm<l>.recurrent  (H, 4H)
///   lstm<l>.bias       (1, 4H)
///   output.weight      (H, O)
///   output.bias        (1, O)
class ParameterLayout {
 public:
  /// Throws InputError if layers or cells are out of range.
  explicit ParameterLayout(const NetworkSpec& spec);

  const NetworkSpec& spec() const { return spec_; }
  const std::vector<Slice>& slices() const { return slices_; }
  std::size_t parameters() const { return parameters_; }

  const Slice& input(int layer) const { return slices_[3 * static_cast<std::size_t>(layer)]; }
  const Slice& recurrent(int layer) const { return slices_[3 * layer + 1]; }
  const Slice& bias(int layer) const { return slices_[3 * layer + 2]; }
  const Slice& output_weight() const { return slices_[slices_.size() - 2]; }
  const Slice& output_bias() const { return slices_.back(); }

 private:
  void add(std::string name, int rows, int columns);

  NetworkSpec spec_;
  std::vector<Slice> slices_;
  std::size_t parameters_ = 0;
};

/// The P starting weights. A pure function of its arguments. In double, so that networks of any
/// precision start from the same numbers.
std::vector<double> initial_weights(const ParameterLayout& layout, const InitialWeights& settings,
                                    std::uint64_t seed);

}  // namespace gradus
