#include "gradus/runs/replay.h"

#include <charconv>
#include <sstream>

#include "gradus/core/error.h"
#include "gradus/files/file.h"

namespace gradus {
namespace {

constexpr const char* kHeader = "task,progress,cost";

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

template <typename Number>
Number parse(const std::string& where, const char* column, const std::string& text,
             const char* expected) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError(where + column + " is \"" + text + "\", expected " + expected);
  }
  return number;
}

ReplayRow parse_row(const std::string& where, const std::string& line) {
  const std::vector<std::string> fields = split(line);
  if (fields.size() != 3) {
    throw InputError(where + "\"" + line + "\" has " + std::to_string(fields.size()) +
                     " columns, expected 3: " + kHeader);
  }
  return {parse<int>(where, "task", fields[0], "a whole number"),
          parse<double>(where, "progress", fields[1], "a number"),
          parse<double>(where, "cost", fields[2], "a number")};
}

}  // namespace

std::string replay_place(const std::filesystem::path& path, std::uint64_t round) {
  return path.string() + ":" + std::to_string(round + 1) + ": row " + std::to_string(round) + ": ";
}

std::vector<ReplayRow> read_replay_log(const std::filesystem::path& path) {
  std::istringstream log(read_file(path));
  std::string line;
  const auto read_line = [&] {
    if (!std::getline(log, line)) return false;
    if (line.ends_with('\r')) line.pop_back();
    return true;
  };
  read_line();
  if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // byte-order mark of spreadsheets
  if (line != kHeader) {
    throw InputError(path.string() + ":1: header is \"" + line + "\", expected \"" + kHeader +
                     "\"");
  }
  std::vector<ReplayRow> rows;
  while (read_line()) {
    if (line.empty() && log.peek() == std::istringstream::traits_type::eof()) break;
    rows.push_back(parse_row(replay_place(path, rows.size() + 1), line));
  }
  return rows;
}

ReplayedRound replay_row(Syllabus& syllabus, const std::string& where, const ReplayRow& row) {
  try {
    const Ticket ticket = syllabus.ticket_for(row.task);
    const Reward reward = syllabus.reward(ticket, row.progress, row.cost);
    return {syllabus.rounds(), ticket.probability, reward.scaled};
  } catch (const InputError& error) {
    throw InputError(where + error.what());
  }
}

}  // namespace gradus
