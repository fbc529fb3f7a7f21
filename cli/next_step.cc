// SPDX-License-Identifier: Apache-2.0
#include "cli/next_step.h"

#include "cli/commands.h"
#include "gradus/runs/run_folder.h"

namespace gradus::cli {

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyz"
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./=,:@%+") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string report_command(const std::string& folder) {
  return has_report() ? "gradus report " + quoted(folder) + " -o report.html"
                      : "gradus export --format csv " + quoted(folder);
}

std::string next_command(const RunRecord& run) {
  const std::string folder = run.folder.string();
  const bool resumable = run.status != "finished" && std::filesystem::exists(config_file(folder));
  return resumable ? "gradus resume " + quoted(folder) : report_command(folder);
}

std::string next_step(const std::string& folder) {
  return "saved in " + folder + "; next: " + report_command(folder);
}

}  // namespace gradus::cli
