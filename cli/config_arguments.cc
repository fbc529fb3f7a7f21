// SPDX-License-Identifier: Apache-2.0
#include "cli/config_arguments.h"

#include <map>

#include <fmt/format.h>

#include "gradus/core/error.h"
#include "gradus/runs/runner.h"

namespace gradus::cli {
namespace {

// Keys contain no slash, so runs/eta=0.1/config.toml is a file.
bool is_override(const std::string& word) {
  const std::string key = word.substr(0, word.find('='));
  return key.size() < word.size() && key.find('/') == std::string::npos;
}

// Defaults that curricula override, by key: "  (files: 128)".
std::map<std::string, std::string> other_defaults() {
  RunSettings program;
  std::map<std::string, std::string> texts;
  for (const CurriculumEntry& entry : curriculum_list()) {
    if (entry.defaults.empty()) continue;
    RunSettings own = default_settings(entry.name);
    own.curriculum = program.curriculum;
    for (const auto& [usual, setting] : differing(program, own)) {
      texts[setting.key] += fmt::format("  ({}: {})", entry.name, value_text(setting));
    }
  }
  return texts;
}

}  // namespace

ConfigArguments sort_arguments(const std::vector<std::string>& words) {
  ConfigArguments arguments;
  for (const std::string& word : words) {
    if (is_override(word)) {
      arguments.overrides.push_back(word);
    } else if (&word == &words.front() && !word.empty()) {
      arguments.file = word;
    } else {
      throw InputError("\"" + word +
                       "\" is not of the form key=value; a config file must come first");
    }
  }
  return arguments;
}

std::string settings_help() {
  RunSettings defaults;
  std::map<std::string, std::string> others = other_defaults();
  std::string text = "Settings (key=value on the command line, or in CONFIG) and their defaults:\n";
  for (const Setting& setting : settings_of(defaults)) {
    text += fmt::format("  {} = {}{}\n      {}\n", setting.key, value_text(setting),
                        others[setting.key], setting.help);
  }
  text.pop_back();  // CLI11 ends a text that it asks for by a function
  return text;
}

}  // namespace gradus::cli
