#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gradus/core/syllabus.h"

namespace gradus {

/// One round of a log: a task, counted from 0, and what it earned.
struct ReplayRow {
  int task = 0;
  double progress = 0;
  double cost = 0;
};

/// What a policy made of a round: the probability of its task before the update, and the scaled
/// reward. `round` counts from 1.
struct ReplayedRound {
  std::uint64_t round = 0;
  double probability = 0;
  double reward = 0;
};

/// Reads a log, a CSV with the header task,progress,cost. Throws InputError that names the place of
/// what is wrong.
std::vector<ReplayRow> read_replay_log(const std::filesystem::path& path);

/// Where a log has its row `round`, counted from 1, for messages: "log.csv:3: row 2: ".
std::string replay_place(const std::filesystem::path& path, std::uint64_t round);

/// Settles one round as if the syllabus had drawn its task. Throws InputError, beginning with
/// `where`, where the syllabus refuses it.
ReplayedRound replay_row(Syllabus& syllabus, const std::string& where, const ReplayRow& row);

}  // namespace gradus
