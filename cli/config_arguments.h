#pragma once

#include <string>
#include <vector>

namespace gradus::cli {

/// Words of a command line: a config file, perhaps, then any number of key=value.
struct ConfigArguments {
  std::string file;  ///< empty where there is none
  std::vector<std::string> overrides;
};
/// Throws InputError where a word after the first is no key=value.
ConfigArguments sort_arguments(const std::vector<std::string>& words);

/// Every setting, its default and its meaning, for --help.
std::string settings_help();

}  // namespace gradus::cli
