// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/settings.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <toml++/toml.h>

#include "gradus/core/error.h"
#include "gradus/files/utf8.h"
#include "gradus/runs/runner.h"
#include "gradus/runs/toml_settings.h"

namespace gradus {
namespace {

// Finds a setting of one table. The key may omit the table name.
const Setting& find_in_table(std::string_view table, const std::string& key,
                             const std::vector<Setting>& settings) {
  const std::string prefix = std::string(table) + ".";
  const std::string name = key.starts_with(prefix) ? key.substr(prefix.size()) : key;
  std::vector<std::string> names;
  for (const Setting& setting : settings) {
    if (!setting.key.starts_with(prefix)) continue;
    names.push_back(setting.key.substr(prefix.size()));
    if (names.back() == name) return setting;
  }
  throw_unknown(std::string(table) + " setting", name, names);
}

std::string string_text(const std::string& text) {
  std::ostringstream out;
  out << toml::value<std::string>(text);
  return out.str();
}

// Formats a float as TOML requires: with a point, an exponent, or as inf or nan.
std::string float_text(double value) {
  std::string text = to_text(value);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

toml::table load_config(const std::filesystem::path& file) {
  toml::table table = parse_toml(file);
  table.erase("sweep");  // sweep_grid.h reads that; a single run uses only the other settings
  return table;
}

}  // namespace

std::string value_text(const Setting& setting) {
  const auto show = [&](const auto& value) -> std::string {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string*>) {
      return string_text(*value);
    } else if constexpr (std::is_same_v<Value, EnumValue>) {
      return string_text(setting.choices[value.get()]);
    } else if constexpr (std::is_same_v<Value, bool*>) {
      return *value ? "true" : "false";
    } else if constexpr (std::is_same_v<Value, double*>) {
      return float_text(*value);
    } else if constexpr (std::is_same_v<Value, std::optional<double>*>) {
      return *value ? float_text(**value) : string_text("auto");
    } else if constexpr (std::is_same_v<Value, std::vector<double>*>) {
      std::string list;
      for (const double number : *value) list += (list.empty() ? "" : ", ") + float_text(number);
      return "[" + list + "]";
    } else {
      return std::to_string(*value);
    }
  };
  return std::visit(show, setting.value);
}

std::string plain_text(const Setting& setting) {
  if (const auto text = std::get_if<std::string*>(&setting.value)) return **text;
  if (const auto named = std::get_if<EnumValue>(&setting.value)) {
    return setting.choices[named->get()];
  }
  const auto number = std::get_if<std::optional<double>*>(&setting.value);
  return number && !**number ? "auto" : value_text(setting);
}

std::map<std::string, std::string> setting_texts(RunSettings settings) {
  std::map<std::string, std::string> texts;
  for (const Setting& setting : settings_of(settings)) texts[setting.key] = plain_text(setting);
  return texts;
}

std::vector<std::pair<Setting, Setting>> differing(RunSettings& a, RunSettings& b) {
  const std::vector<Setting> of_a = settings_of(a);
  const std::vector<Setting> of_b = settings_of(b);
  std::vector<std::pair<Setting, Setting>> pairs;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (value_text(of_a[i]) != value_text(of_b[i])) pairs.emplace_back(of_a[i], of_b[i]);
  }
  return pairs;
}

RunSettings default_settings(const std::string& curriculum) {
  RunSettings settings;
  settings.curriculum = curriculum;
  for (const CurriculumEntry& entry : curriculum_list()) {
    if (entry.name != curriculum) continue;
    apply_overrides(entry.defaults, settings);
  }
  return settings;
}

RunSettings make_settings(const toml::table& config, const std::string& file,
                          const std::vector<std::string>& overrides) {
  const auto apply = [&](RunSettings settings) {
    load_table(config, "", file, settings_of(settings));
    apply_overrides(overrides, settings);
    return settings;
  };
  // The first apply() finds the curriculum, whose defaults are the base of the second.
  RunSettings settings = apply(default_settings(apply({}).curriculum));
  make_paths_absolute(settings);
  return settings;
}

RunSettings make_settings(const std::filesystem::path& config,
                          const std::vector<std::string>& overrides) {
  return make_settings(config.empty() ? toml::table() : load_config(config), config.string(),
                       overrides);
}

void make_paths_absolute(RunSettings& settings) {
  for (const Setting& setting : settings_of(settings)) {
    if (!setting.is_path) continue;
    std::string& path = *std::get<std::string*>(setting.value);
    const bool is_word = std::ranges::find(setting.choices, path) != setting.choices.end();
    if (path.empty() || is_word) continue;
    path = std::filesystem::absolute(path).lexically_normal().string();
  }
}

RunSettings parse_settings(const std::string& text, const std::string& name,
                           const std::vector<std::string>& overrides) {
  return make_settings(parse_toml(text, name), name, overrides);
}

void load_settings(const std::filesystem::path& file, RunSettings& settings) {
  load_table(load_config(file), "", file.string(), settings_of(settings));
}

std::string config_text(RunSettings settings) {
  std::string text;
  std::string table;
  for (const Setting& setting : settings_of(settings)) {
    const std::size_t dot = setting.key.find('.');
    const std::string of = dot == std::string::npos ? "" : setting.key.substr(0, dot);
    if (of != table) text += "\n[" + of + "]\n";
    table = of;
    text += setting.key.substr(dot == std::string::npos ? 0 : dot + 1) + " = " +
            value_text(setting) + "\n";
  }
  return text;
}

void apply_override(std::string_view assignment, const std::vector<Setting>& settings,
                    std::string_view table) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw InputError("\"" + std::string(assignment) + "\" is not of the form key=value");
  }
  const std::string key(assignment.substr(0, equals));
  const std::string text(assignment.substr(equals + 1));
  const Setting& setting =
      table.empty() ? find_setting(key, "", settings) : find_in_table(table, key, settings);
  // Other bytes are not TOML, so a config could not hold them.
  if (find_invalid_utf8(text) != std::string::npos) {
    throw InputError(setting.key + " is \"" + text + "\", expected UTF-8");
  }
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + text);
    if (parsed.size() != 1) parsed = toml::table{{"value", text}};
  } catch (const toml::parse_error&) {
    parsed = toml::table{{"value", text}};
  }
  // A string setting takes the text verbatim: corpus=2024.txt needs no quotes.
  const bool wants_text = std::holds_alternative<std::string*>(setting.value) ||
                          std::holds_alternative<EnumValue>(setting.value);
  if (wants_text && !parsed["value"].is_string()) parsed = toml::table{{"value", text}};
  set(setting, "", *parsed.get("value"));
}

void apply_overrides(const std::vector<std::string>& assignments, RunSettings& settings,
                     std::string_view table) {
  check_given_once(assignments, table);
  const std::vector<Setting> all = settings_of(settings);
  for (const std::string& assignment : assignments) apply_override(assignment, all, table);
}

void check_given_once(const std::vector<std::string>& assignments, std::string_view table) {
  const std::string prefix = table.empty() ? "" : std::string(table) + ".";
  std::map<std::string, std::string> seen;
  for (const std::string& assignment : assignments) {
    std::string key = assignment.substr(0, assignment.find('='));
    if (!key.starts_with(prefix)) key = prefix + key;
    const auto [earlier, is_new] = seen.emplace(key, assignment);
    if (is_new) continue;
    throw InputError(key + " is given twice, as " + earlier->second + " and as " + assignment +
                     "; expected one of them");
  }
}

}  // namespace gradus
