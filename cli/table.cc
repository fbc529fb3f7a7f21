// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/commands.h"

namespace gradus::cli {

std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] > 0) line += fmt::format("{:{}}  ", row[i], widths[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

void add_json_flag(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "print JSON instead of a table");
}

}  // namespace gradus::cli
