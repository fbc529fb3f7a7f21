#include "gradus/runs/settings.h"

#include <algorithm>
#include <sstream>

#include <toml++/toml.h>

#include "gradus/core/error.h"
#include "gradus/curricula/utf8.h"
#include "gradus/runs/runner.h"
#include "gradus/runs/toml_settings.h"

namespace gradus {
namespace {

// Finds a setting of one table. The key may omit the table name.
Setting find_in_table(std::string_view table, const std::string& key, RunSettings& settings) {
  const std::string prefix = std::string(table) + ".";
  const std::string name = key.starts_with(prefix) ? key.substr(prefix.size()) : key;
  std::vector<std::string> names;
  for (const Setting& setting : settings_of(settings)) {
    if (!setting.key.starts_with(prefix)) continue;
    names.push_back(setting.key.substr(prefix.size()));
    if (names.back() == name) return setting;
  }
  throw_unknown(std::string(table) + " setting", name, names);
}

std::string quoted(const std::string& text) {
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

void make_paths_absolute(RunSettings& settings) {
  const auto make_absolute = [](std::string& path) {
    if (!path.empty()) path = std::filesystem::absolute(path).lexically_normal().string();
  };
  make_absolute(settings.babi.folder);
  make_absolute(settings.files.path);
  make_absolute(settings.ngram.corpus);
  if (settings.ngram.cache != "none") make_absolute(settings.ngram.cache);
}

toml::table load_config(const std::filesystem::path& file) {
  toml::table table = parse_toml(file);
  table.erase("sweep");  // sweep_grid.h reads that; a single run uses only the other settings
  return table;
}

}  // namespace

std::string value_text(const Setting& setting) {
  const auto show = [](const auto* value) -> std::string {
    using Value = std::decay_t<decltype(*value)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      return quoted(*value);
    } else if constexpr (std::is_same_v<Value, bool>) {
      return *value ? "true" : "false";
    } else if constexpr (std::is_same_v<Value, double>) {
      return float_text(*value);
    } else if constexpr (std::is_same_v<Value, std::optional<double>>) {
      return *value ? float_text(**value) : quoted("auto");
    } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
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
  const auto number = std::get_if<std::optional<double>*>(&setting.value);
  return number && !**number ? "auto" : value_text(setting);
}

void check_choice(const Setting& setting, const std::string& value) {
  const std::vector<std::string>& valid = setting.choices;
  if (valid.empty() || std::find(valid.begin(), valid.end(), value) != valid.end()) return;
  throw_unknown(setting.key, value, valid);
}

void check_choices(const RunSettings& settings) {
  RunSettings copy = settings;
  for (const Setting& setting : settings_of(copy)) {
    const auto text = std::get_if<std::string*>(&setting.value);
    if (text) check_choice(setting, **text);
  }
}

RunSettings default_settings(const std::string& curriculum) {
  RunSettings settings;
  settings.curriculum = curriculum;
  for (const CurriculumEntry& entry : curriculum_list()) {
    if (entry.name != curriculum) continue;
    for (const std::string& assignment : entry.defaults) apply_override(assignment, settings);
  }
  return settings;
}

RunSettings make_settings(const toml::table& config, const std::string& file,
                          const std::vector<std::string>& overrides) {
  const auto apply = [&](RunSettings settings) {
    load_table(config, "", file, settings);
    for (const std::string& assignment : overrides) apply_override(assignment, settings);
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

void load_settings(const std::filesystem::path& file, RunSettings& settings) {
  load_table(load_config(file), "", file.string(), settings);
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

void apply_override(std::string_view assignment, RunSettings& settings, std::string_view table) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw InputError("\"" + std::string(assignment) + "\" is not of the form key=value");
  }
  const std::string key(assignment.substr(0, equals));
  const std::string text(assignment.substr(equals + 1));
  const Setting setting =
      table.empty() ? find_setting(key, "", settings) : find_in_table(table, key, settings);
  // TOML has no other bytes, so that a config could not hold them.
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
  const bool wants_text = std::holds_alternative<std::string*>(setting.value);
  if (wants_text && !parsed["value"].is_string()) parsed = toml::table{{"value", text}};
  set(setting, "", *parsed.get("value"));
}

}  // namespace gradus
