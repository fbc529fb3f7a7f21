// SPDX-License-Identifier: Apache-2.0
#include "cli/use_network.h"

#include <sstream>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/table.h"
#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/curricula/curricula.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::cli {

void add_network_arguments(CLI::App& command, NetworkArguments& arguments) {
  command.add_option("RUN", arguments.run, "folder of the run")->required();
  command
      .add_option("--checkpoint", arguments.checkpoint,
                  "\"best\", with the lowest held-out loss, or \"last\"; default: best")
      ->type_name("WHICH");
}

std::string format_help(std::string CurriculumEntry::*format) {
  std::vector<Row> rows;
  for (const CurriculumEntry& entry : curriculum_list()) {
    std::istringstream lines(entry.*format);
    std::string name = entry.name;
    for (std::string line; std::getline(lines, line); name.clear()) rows.push_back({name, line});
  }
  std::string text = aligned(rows);
  text.pop_back();  // the last line's end
  return text;
}

TrainedRun load_trained(const NetworkArguments& arguments) {
  const std::string& which = arguments.checkpoint;
  if (!which.empty() && which != "best" && which != "last") {
    throw InputError("--checkpoint is \"" + which + "\", expected \"best\" or \"last\"");
  }
  return TrainedRun(arguments.run, which, arguments.threads, warn);
}

void tell_unknown(std::int64_t unknown) {
  if (unknown == 0) return;
  const char* are = unknown == 1 ? "is" : "are";
  warn(fmt::format("{} {} not in the vocabulary of the run and {} read as {}",
                   count_text(unknown, "symbol"), are, are, files::kUnknown));
}

}  // namespace gradus::cli
