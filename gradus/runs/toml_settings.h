// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "gradus/runs/settings.h"

// Conversion of TOML values to settings. Only for the files of this folder that read TOML.
namespace gradus {

/// Parses a file. Throws an InputError that names file and line if it is not TOML.
toml::table parse_toml(const std::filesystem::path& file);
/// The same for a text; messages call it `name`.
toml::table parse_toml(const std::string& text, const std::string& name);

/// File and line of a value, for messages: "demo.toml:3: ", or "" if `file` is empty.
std::string location(const std::string& file, const toml::node& node);

/// The text of a value, for messages.
std::string shown(const toml::node& node);

/// Finds a setting by key. If there is none, throws an InputError that starts with `where` and
/// suggests the nearest key.
const Setting& find_setting(const std::string& key, const std::string& where,
                            const std::vector<Setting>& settings);

/// Assigns a value to a setting. Throws an InputError that starts with `where` if its type, range
/// or choice is invalid.
void set(const Setting& setting, const std::string& where, const toml::node& node);

/// Applies all values of a table, including dotted keys and nested tables.
void load_table(const toml::table& table, const std::string& prefix, const std::string& file,
                const std::vector<Setting>& settings);

/// make_settings() for a config that is already parsed; messages call it `file`.
RunSettings make_settings(const toml::table& config, const std::string& file,
                          const std::vector<std::string>& overrides);

}  // namespace gradus
