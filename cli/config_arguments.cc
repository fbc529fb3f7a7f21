#include "cli/config_arguments.h"

#include <fmt/format.h>

#include "gradus/core/error.h"

namespace gradus::cli {
namespace {

// No key has a slash, so runs/eta=0.1/config.toml is a file.
bool is_override(const std::string& word) {
  const std::string key = word.substr(0, word.find('='));
  return key.size() < word.size() && key.find('/') == std::string::npos;
}

}  // namespace

ConfigArguments sort_arguments(const std::vector<std::string>& words) {
  ConfigArguments arguments;
  for (const std::string& word : words) {
    if (is_override(word)) {
      arguments.overrides.push_back(word);
    } else if (&word == &words.front()) {
      arguments.file = word;
    } else {
      throw InputError("\"" + word +
                       "\" is not of the form key=value; a config file must come first");
    }
  }
  return arguments;
}

RunSettings read_settings(const ConfigArguments& arguments) {
  RunSettings settings;
  if (!arguments.file.empty()) load_settings(arguments.file, settings);
  for (const std::string& assignment : arguments.overrides) apply_override(assignment, settings);
  make_paths_absolute(settings);
  return settings;
}

std::string settings_help() {
  RunSettings defaults;
  std::string text = "Settings (key=value on the command line, or in CONFIG) and their defaults:\n";
  for (const Setting& setting : settings_of(defaults)) {
    text += fmt::format("  {} = {}\n      {}\n", setting.key, value_text(setting), setting.help);
  }
  return text;
}

}  // namespace gradus::cli
