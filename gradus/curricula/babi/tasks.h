// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/random.h"
#include "gradus/curricula/babi/story.h"

namespace gradus::babi {

/// Which version of the public generator the text follows. P is the version of 2016-11 to 2017-03,
/// before the curriculum paper; H is today's. They differ in tasks 4, 5, 17 and 19.
enum class Variant { kP, kH };

/// How stories are generated. In the public generator the answers of tasks 17 (P) and 19 (P and H)
/// are the opposite of what the text says. If `consistent` is true, text and answers agree.
struct Rules {
  Variant variant = Variant::kP;
  bool consistent = false;
};

inline constexpr int kTaskCount = 20;

struct Task {
  int number;              ///< 1..20
  std::string_view title;  ///< for users, e.g. "Path Finding"
  std::string_view slug;   ///< as in the official file names, e.g. "path-finding"
  Story (*generate)(const Rules& rules, Random& random);
};

/// The twenty tasks, number k at index k - 1.
const std::array<Task, kTaskCount>& all_tasks();

/// The index of a task given by number ("19", "qa19"), title or slug. Case, spaces and punctuation
/// do not matter. Throws InputError, suggesting the nearest task, if there is no such task.
int find_task(std::string_view name);

}  // namespace gradus::babi
