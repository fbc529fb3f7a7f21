// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gradus/policies/dense_policy.h"

namespace gradus {

/// A policy that chooses among base policies. Each base may be rewarded by a signal of its own; the
/// master then compares its bases by the first signal.
class MasterPolicy : public DensePolicy {
 public:
  int signals() const override { return bases(); }
  virtual int bases() const = 0;
  /// The probability with which the master follows a base. REQUIRES 0 <= base < bases().
  virtual double base_probability(int base) const = 0;

 protected:
  explicit MasterPolicy(int tasks) : DensePolicy(Prior(tasks, {})) {}
};

/// Throws InputError if corral cannot have the base `name`: `corral` itself, or `fixed`, which may
/// refuse to remove a task.
void check_base(std::string_view name);

/// Corral (corral.cc). Throws InputError if there are no bases, check_base() refuses one, or they
/// differ in their number of tasks.
std::unique_ptr<MasterPolicy> make_corral(std::vector<std::unique_ptr<Policy>> bases);

}  // namespace gradus
