// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gradus/bandit/make_syllabus.h"
#include "gradus/core/curriculum.h"
#include "gradus/runs/settings.h"

namespace gradus {

/// Estimates how many batches of `batch` sequences make up `steps` input steps if all tasks are
/// equally likely. At least 1. The estimate depends only on the curriculum and the arguments, so
/// that runs with other seeds, and a resumed run, get the same number.
std::uint64_t planned_rounds(const Curriculum& curriculum, std::int64_t steps, std::int64_t batch);

/// The settings of a run's syllabus over the tasks of its curriculum, for make_syllabus(). A
/// baseline has a policy of its own; corral has a base for each of several signals; an automatic
/// eta is chosen for planned_rounds(). Throws InputError if the policy does not have a setting that
/// is not the default, or the baseline "target" has no target task.
SyllabusSettings syllabus_settings(const RunSettings& settings, const Curriculum& curriculum);

// The names of the baselines.
inline constexpr const char* kUniformBaseline = "uniform";
inline constexpr const char* kTargetBaseline = "target";
inline constexpr const char* kFrontierBaseline = "frontier";

/// What a run may have instead of a gain, for comparison.
struct Baseline {
  std::string name;
  std::string summary;
};
const std::vector<Baseline>& baselines();
/// Whether `gain` names one of them.
bool is_baseline(const std::string& gain);

}  // namespace gradus
