// SPDX-License-Identifier: Apache-2.0
#include "cli/use_network.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "gradus/core/error.h"
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
