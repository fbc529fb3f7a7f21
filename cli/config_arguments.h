// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gradus::cli {

/// Arguments of a command line: an optional config file, then any number of key=value.
struct ConfigArguments {
  std::string file;  ///< empty if not given
  std::vector<std::string> overrides;
};
/// Throws InputError if an argument after the first is not key=value.
ConfigArguments sort_arguments(const std::vector<std::string>& words);

/// Every setting with its default and meaning, for --help.
std::string settings_help();

}  // namespace gradus::cli
