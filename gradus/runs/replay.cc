// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/replay.h"

#include <algorithm>
#include <sstream>

#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/files/file.h"

namespace gradus {
namespace {

template <typename Number>
Number parse(const std::string& where, const char* column, const std::string& text,
             const char* expected) {
  const auto number = parse_number<Number>(text);
  if (number) return *number;
  throw InputError(where + column + " is \"" + text + "\", expected " + expected);
}

ReplayRow parse_row(const std::string& where, const std::string& line) {
  const std::vector<std::string> fields = split(line, ',');
  if (fields.size() != 3) {
    throw InputError(where + "\"" + line + "\" has " + std::to_string(fields.size()) +
                     " columns, expected 3: " + kReplayHeader);
  }
  return {parse<int>(where, "task", fields[0], "a whole number"),
          parse<double>(where, "progress", fields[1], "a number"),
          parse<double>(where, "cost", fields[2], "a number")};
}

// The position of a row, counted from 1, for messages: "log.csv:3: row 2: ".
std::string place_of(std::size_t row, const std::filesystem::path& file) {
  const std::string line = file.empty() ? "" : file.string() + ":" + std::to_string(row + 1) + ": ";
  return line + "row " + std::to_string(row) + ": ";
}

ReplayedRound replay_row(Syllabus& syllabus, const ReplayRow& row) {
  const Ticket ticket = syllabus.ticket_for(row.task);
  const Reward reward = syllabus.reward(ticket, row.progress, row.cost);
  return {syllabus.rounds(), ticket.probability, reward.scaled};
}

}  // namespace

ReplayLog read_replay_log(const std::filesystem::path& file) {
  std::istringstream log(read_file(file));
  std::string line;
  const auto read_line = [&] {
    if (!std::getline(log, line)) return false;
    if (line.ends_with('\r')) line.pop_back();
    return true;
  };
  read_line();
  if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // byte-order mark of spreadsheets
  if (line != kReplayHeader) {
    throw InputError(file.string() + ":1: header is \"" + line + "\", expected \"" + kReplayHeader +
                     "\"");
  }
  std::vector<ReplayRow> rows;
  while (read_line()) {
    if (line.empty() && log.peek() == std::istringstream::traits_type::eof()) break;
    rows.push_back(parse_row(place_of(rows.size() + 1, file), line));
  }
  return {std::move(rows), file};
}

SyllabusSettings for_log(SyllabusSettings settings, const ReplayLog& log) {
  if (settings.rounds) throw InputError("rounds is given, but replay uses the length of the log");
  if (takes_rounds(settings)) settings.rounds = std::max<std::size_t>(log.rows.size(), 1);
  return settings;
}

void replay(const ReplayLog& log, Syllabus& syllabus,
            const std::function<void(const ReplayedRound&)>& each) {
  for (std::size_t i = 0; i < log.rows.size(); ++i) {
    ReplayedRound round;
    try {
      round = replay_row(syllabus, log.rows[i]);
    } catch (const InputError& error) {
      throw InputError(place_of(i + 1, log.file) + error.what());
    }
    each(round);
  }
}

}  // namespace gradus
