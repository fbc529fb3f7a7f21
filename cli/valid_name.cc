// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.h"

namespace gradus::cli {
namespace {

// Limits of Linux, less what is added to the names: config.toml, checkpoints and so on.
constexpr std::size_t kLongestPart = 255;
constexpr std::size_t kLongestName = 3800;

std::string problem_of(const std::string& name) {
  if (name.empty()) return "the name is empty, expected that of a file or folder";
  if (name == "-") return "\"-\" is not supported, expected the name of a file or folder";
  std::size_t longest = 0;
  for (const auto& part : std::filesystem::path(name)) {
    longest = std::max(longest, part.native().size());
  }
  if (longest <= kLongestPart && name.size() <= kLongestName) return "";
  return fmt::format(
      "the name {:.20}... is too long, expected at most {} bytes between slashes and "
      "{} in all",
      name, kLongestPart, kLongestName);
}

}  // namespace

CLI::Validator valid_name() {
  return {problem_of, ""};
}

}  // namespace gradus::cli
