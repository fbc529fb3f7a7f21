#pragma once

#include <memory>
#include <string>

#include "gradus/core/policy.h"
#include "gradus/core/syllabus.h"

namespace gradus {

// Adding and removing tasks while a policy learns. The weights of a policy are the shares of exp3s,
// the exponentials of exp3's log weights, and the probabilities of fixed and uniform. They change
// as follows:
//
// - A new task comes last and gets the mean weight, which is 1/(N+1) of the new total. The others
//   keep their ratios.
// - Removing a task removes its weight. The others keep their ratios.
//
// Everything else that the policy has learned, such as its round, stays. `uniform` stays uniform.

/// A copy of `policy` with one more task.
std::unique_ptr<Policy> with_one_more_task(const Policy& policy);

/// A copy of `policy` without `task`. Throws InputError if no task with a positive weight would
/// remain. REQUIRES 0 <= task < policy.size().
std::unique_ptr<Policy> without_task(const Policy& policy, int task);

/// The same for a syllabus. Syllabus::add_task() and remove_task() say what happens to tickets and
/// limits, and what throws.
void add_task(Syllabus& syllabus, const std::string& name);
void remove_task(Syllabus& syllabus, int task);

}  // namespace gradus
