// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <gtest/gtest.h>

// Highway 1.0 refuses to compile for a processor that has this instruction set unless it is asked
// for.
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL 1
#endif
#include <hwy/targets.h>

#include "gradus/nn/cpu/fast/products.h"

namespace gradus {

/// Restricts Highway to one instruction set during this object's lifetime.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { hwy::GetChosenTarget().Update(target); }
  ~OnlyTarget() { hwy::GetChosenTarget().Update(hwy::SupportedTargets()); }
};

/// Calls check() for every instruction set that this build has and this machine can run.
template <typename Check>
void for_each_target(Check check) {
  std::int64_t left = hwy::SupportedTargets() & fast::simd_targets();
  while (left != 0) {
    const std::int64_t target = left & -left;
    left -= target;
    SCOPED_TRACE(hwy::TargetName(target));
    const OnlyTarget only(target);
    check();
  }
}

}  // namespace gradus
