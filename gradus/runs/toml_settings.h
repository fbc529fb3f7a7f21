#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "gradus/runs/settings.h"

// How TOML values become settings. Only for the files of this room that read TOML.
namespace gradus {

/// A file's table. Throws InputError that names file and line where it is not TOML.
toml::table parse_toml(const std::filesystem::path& file);
/// The same for a text that `name` stands for.
toml::table parse_toml(const std::string& text, const std::string& name);

/// Where a value was written, for messages: "demo.toml:3: ", or "" without a file.
std::string location(const std::string& file, const toml::node& node);

/// A value for messages.
std::string shown(const toml::node& node);

/// The setting of that key. Throws InputError, with `where` in front and the nearest key behind,
/// where there is none.
Setting find_setting(const std::string& key, const std::string& where, RunSettings& settings);

/// Gives a setting its value. Throws InputError, with `where` in front, where type, range or choice
/// are wrong.
void set(const Setting& setting, const std::string& where, const toml::node& node);

/// Applies a table's values, dotted keys and inner tables alike.
void load_table(const toml::table& table, const std::string& prefix, const std::string& file,
                RunSettings& settings);

/// The same for a config that was parsed; `file` stands for it in messages.
RunSettings make_settings(const toml::table& config, const std::string& file,
                          const std::vector<std::string>& overrides);

}  // namespace gradus
