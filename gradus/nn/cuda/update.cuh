// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gradus/nn/cuda/block_sum.cuh"
#include "gradus/nn/cuda/buffer.h"
#include "gradus/nn/cuda/patch.cuh"
#include "gradus/nn/cuda/weights.h"

namespace gradus::cuda {

/// Per-block sums of an update, kCount per block, and the number of blocks that have stored theirs.
template <int kCount>
struct BlockSums {
  double (*of_blocks)[kCount];
  unsigned* arrived;
};

/// Updates all weights in one pass, one block per patch. The objective supplies Rule:
///
///   kSums                    number of sums that it accumulates over all weights
///   kBlocks                  blocks per multiprocessor that the registers must allow
///   skips()                  true if nothing may change
///   begin(block)             returns what all weights of a patch have in common
///   load<kCount>(i)          loads the data of weights [i, i + kCount)
///   update(i, loaded, common, sums)
///                            moves these weights, adds to the sums, returns the new weights
///   finish(of_blocks)        called by one block, after all others are done
///
/// If `store`, also writes the forms of the new weights.
template <typename Operand, typename Rule>
__global__ void __launch_bounds__(kPatchThreads, Rule::kBlocks)
    update_kernel(const Patch<Operand>* patches, Rule rule, bool store,
                  BlockSums<Rule::kSums> block_sums) {
  __shared__ PatchForms<Operand> forms;
  if (rule.skips()) return;
  const Patch<Operand> patch = patches[blockIdx.x];
  const auto common = rule.begin(static_cast<int>(blockIdx.x));
  double sums[Rule::kSums] = {};
  for_stretches(patch, [&]<int kCount>(int k) {
    const std::size_t i = weight_number(patch, k);
    forms.put(k, rule.update(i, rule.template load<kCount>(i), common, sums));
  });
  if (store) forms.store(patch);
  if (leave_sums(sums, block_sums.of_blocks, block_sums.arrived)) {
    rule.finish(block_sums.of_blocks);
  }
}

/// Launches updates by rules with at most kSums sums, and owns the memory for the sums.
template <typename Operand, int kSums>
class Updater {
 public:
  Updater(const Weights<Operand>& weights, cudaStream_t stream)
      : weights_(weights),
        stream_(stream),
        sums_(weights.patch_count() * kSums),
        arrived_(make_zeros<unsigned>(1, stream)) {}

  template <typename Rule>
  void launch(const Rule& rule, bool store) {
    static_assert(Rule::kSums <= kSums);
    const BlockSums<Rule::kSums> block_sums{reinterpret_cast<double(*)[Rule::kSums]>(sums_.data()),
                                            arrived_.data()};
    update_kernel<<<weights_.patch_count(), kPatchThreads, 0, stream_>>>(weights_.patches(), rule,
                                                                         store, block_sums);
    check_launch("update");
  }

 private:
  const Weights<Operand>& weights_;
  cudaStream_t stream_;
  Buffer<double> sums_;
  Buffer<unsigned> arrived_;
};

}  // namespace gradus::cuda
