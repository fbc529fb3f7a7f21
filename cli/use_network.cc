// SPDX-License-Identifier: Apache-2.0
#include "cli/use_network.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>

#include <fmt/format.h>

#include "cli/table.h"
#include "gradus/core/error.h"
#include "gradus/curricula/curricula.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::cli {
namespace {

void warn(const std::string& message) {
  fmt::print(stderr, "gradus: warning: {}\n", message);
}

}  // namespace

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
  warn(fmt::format("{} symbol{} not in the vocabulary of the run and {} read as {}", unknown,
                   unknown == 1 ? " is" : "s are", unknown == 1 ? "is" : "are", files::kUnknown));
}

void write_now(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return;
  }
  throw std::runtime_error(std::string("cannot write to standard output: ") + std::strerror(errno));
}

}  // namespace gradus::cli
