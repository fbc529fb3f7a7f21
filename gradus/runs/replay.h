// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gradus/bandit/make_syllabus.h"

namespace gradus {

/// First line of a log.
inline constexpr const char* kReplayHeader = "task,progress,cost";

/// One round of a log: a task, counted from 0, its progress and its cost.
struct ReplayRow {
  int task = 0;
  double progress = 0;
  double cost = 0;
};

/// The result of one round: the probability of its task before the update, and the scaled reward.
/// `round` counts from 1.
struct ReplayedRound {
  std::uint64_t round = 0;
  double probability = 0;
  double reward = 0;
};

struct ReplayLog {
  std::vector<ReplayRow> rows;
  std::filesystem::path file = {};  ///< empty if it was not read from a file
};

/// Reads a CSV log with the header task,progress,cost. Throws an InputError that names file and
/// line of the error.
ReplayLog read_replay_log(const std::filesystem::path& file);

/// The settings of a syllabus for a log: an automatic eta is chosen for its number of rows. Throws
/// InputError if they have `rounds`.
SyllabusSettings for_log(SyllabusSettings settings, const ReplayLog& log);

/// Settles each row as if the syllabus had drawn its task, and calls `each` after it. Throws an
/// InputError that names the row if the syllabus refuses it.
void replay(const ReplayLog& log, Syllabus& syllabus,
            const std::function<void(const ReplayedRound&)>& each);

}  // namespace gradus
