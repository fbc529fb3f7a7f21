#include "gradus/runs/settings.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include <toml++/toml.h>

#include "gradus/core/error.h"

namespace gradus {
namespace {

// Where a value was written, for messages: "demo.toml:3: " or "".
std::string location(const std::string& file, const toml::node& node) {
  if (file.empty()) return "";
  return file + ":" + std::to_string(node.source().begin.line) + ": ";
}

std::string shown(const toml::node& node) {
  if (const auto number = node.as_floating_point()) return to_text(number->get());
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

// The key that was probably meant: one with this last component, or the nearest.
std::string suggestion(const std::string& key, const std::vector<std::string>& keys) {
  for (const std::string& candidate : keys) {
    if (candidate.ends_with("." + key)) return candidate;
  }
  return nearest_name(key, keys);
}

Setting find_setting(const std::string& key, const std::string& where, RunSettings& settings) {
  std::vector<std::string> keys;
  for (const Setting& setting : settings_of(settings)) {
    if (setting.key == key) return setting;
    keys.push_back(setting.key);
  }
  const std::string near = suggestion(key, keys);
  throw InputError(
      where + "unknown setting \"" + key + "\"" +
      (near.empty() ? "; gradus train --help lists all" : "; did you mean \"" + near + "\"?"));
}

// A setting of one table, by its key with or without the table's name.
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

[[noreturn]] void refuse(const Setting& setting, const std::string& where, const toml::node& node,
                         const std::string& expected) {
  throw InputError(where + setting.key + " is " + shown(node) + ", expected " + expected);
}

std::string range_text(const Setting& setting, const char* kind) {
  std::string text = kind;
  if (std::isfinite(setting.low)) text += " from " + to_text(setting.low);
  if (std::isfinite(setting.high)) text += " to " + to_text(setting.high);
  return text;
}

std::int64_t read_whole(const Setting& setting, const std::string& where, const toml::node& node) {
  // 1e6 is a natural way to write a number of steps, so a float without a fraction will do.
  const auto number = node.value<double>();
  const bool whole = node.is_number() && number && *number == std::floor(*number);
  if (!whole || *number < setting.low || *number > setting.high) {
    refuse(setting, where, node, range_text(setting, "a whole number"));
  }
  return node.is_integer() ? *node.value<std::int64_t>() : static_cast<std::int64_t>(*number);
}

double read_number(const Setting& setting, const std::string& where, const toml::node& node) {
  const auto number = node.value<double>();
  if (!node.is_number() || !number || !std::isfinite(*number) || *number < setting.low ||
      *number > setting.high) {
    refuse(setting, where, node, range_text(setting, "a number"));
  }
  return *number;
}

std::vector<double> read_numbers(const Setting& setting, const std::string& where,
                                 const toml::node& node) {
  const toml::array* array = node.as_array();
  if (!array) refuse(setting, where, node, "a list of numbers");
  std::vector<double> numbers;
  for (const toml::node& element : *array) {
    if (!element.is_number()) refuse(setting, where, node, "a list of numbers");
    numbers.push_back(*element.value<double>());
  }
  return numbers;
}

void set(const Setting& setting, const std::string& where, const toml::node& node) {
  const auto assign = [&](auto* value) {
    using Value = std::decay_t<decltype(*value)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      if (!node.is_string()) refuse(setting, where, node, "a string");
      *value = *node.value<std::string>();
    } else if constexpr (std::is_same_v<Value, bool>) {
      if (!node.is_boolean()) refuse(setting, where, node, "true or false");
      *value = *node.value<bool>();
    } else if constexpr (std::is_same_v<Value, double>) {
      *value = read_number(setting, where, node);
    } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
      *value = read_numbers(setting, where, node);
    } else {
      *value = static_cast<Value>(read_whole(setting, where, node));
    }
  };
  std::visit(assign, setting.value);
}

void load_table(const toml::table& table, const std::string& prefix, const std::string& file,
                RunSettings& settings) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    const std::string where = location(file, node);
    if (const toml::table* inner = node.as_table()) {
      load_table(*inner, key + ".", file, settings);
    } else {
      set(find_setting(key, where, settings), where, node);
    }
  }
}

// All of a file, which may be a pipe.
std::string read_text(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file)) {
    throw InputError(file.string() + ": is a folder, expected a TOML file");
  }
  std::ifstream stream(file);
  if (!stream) {
    throw InputError(file.string() + ": cannot read the config: " + std::strerror(errno));
  }
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string quoted(const std::string& text) {
  std::ostringstream out;
  out << toml::value<std::string>(text);
  return out.str();
}

// Numbers as TOML writes them: a float always has a point, an exponent or a name.
std::string float_text(double value) {
  std::string text = to_text(value);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
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

void load_settings(const std::filesystem::path& file, RunSettings& settings) {
  const std::string text = read_text(file);
  toml::table table;
  try {
    table = toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw InputError(file.string() + ":" + std::to_string(error.source().begin.line) + ": " +
                     std::string(error.description()));
  }
  load_table(table, "", file.string(), settings);
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
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + text);
    if (parsed.size() != 1) parsed = toml::table{{"value", text}};
  } catch (const toml::parse_error&) {
    parsed = toml::table{{"value", text}};
  }
  // A string setting takes its text as it stands: corpus=2024.txt needs no quotes.
  const bool wants_text = std::holds_alternative<std::string*>(setting.value);
  if (wants_text && !parsed["value"].is_string()) parsed = toml::table{{"value", text}};
  set(setting, "", *parsed.get("value"));
}

}  // namespace gradus
