#pragma once

#include <memory>
#include <string>

#include "gradus/core/policy.h"
#include "gradus/core/syllabus.h"

namespace gradus {

// Tasks that come and go while a policy is learning. What a policy weighs its tasks by, the shares
// of exp3s, the exponentials of exp3's weights, the probabilities of fixed and uniform, changes so:
//
// - A new task comes last and enters at the mean weight: 1/(N+1) of the whole. The others keep
//   their ratios.
// - A removed task takes its weight along. The others keep their ratios.
//
// All else that the policy has learned, such as its round, stays. `uniform` stays uniform.

/// A copy of `policy` over one task more.
std::unique_ptr<Policy> with_one_more_task(const Policy& policy);

/// A copy of `policy` without `task`. Throws InputError where no task, or none that has a
/// probability, would remain. REQUIRES 0 <= task < policy.size().
std::unique_ptr<Policy> without_task(const Policy& policy, int task);

/// The same for a syllabus; Syllabus::add_task and remove_task say what becomes of its tickets and
/// limits.
void add_task(Syllabus& syllabus, const std::string& name);
void remove_task(Syllabus& syllabus, int task);

}  // namespace gradus
