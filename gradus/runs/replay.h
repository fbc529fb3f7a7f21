#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gradus/core/syllabus.h"

namespace gradus {

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

/// Reads a CSV log with the header task,progress,cost. Throws an InputError that names file and
/// line of the error.
std::vector<ReplayRow> read_replay_log(const std::filesystem::path& path);

/// The position of row `round` (counted from 1) in a log, for messages: "log.csv:3: row 2: ".
std::string replay_place(const std::filesystem::path& path, std::uint64_t round);

/// Settles one round as if the syllabus had drawn its task. Throws an InputError that starts with
/// `where` if the syllabus refuses it.
ReplayedRound replay_row(Syllabus& syllabus, const std::string& where, const ReplayRow& row);

}  // namespace gradus
