#include "gradus/runs/settings.h"

#include <algorithm>
#include <cmath>
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
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

// The key that was probably meant: one with this last component, or the nearest.
std::string suggestion(const std::string& key, const std::vector<Setting>& settings) {
  std::vector<std::string> keys;
  for (const Setting& setting : settings) {
    if (setting.key.ends_with("." + key)) return setting.key;
    keys.push_back(setting.key);
  }
  return nearest_name(key, keys);
}

Setting find_setting(const std::string& key, const std::string& where, RunSettings& settings) {
  const std::vector<Setting> all = settings_of(settings);
  for (const Setting& setting : all) {
    if (setting.key == key) return setting;
  }
  const std::string near = suggestion(key, all);
  throw InputError(
      where + "unknown setting \"" + key + "\"" +
      (near.empty() ? "; gradus train --help lists all" : "; did you mean \"" + near + "\"?"));
}

[[noreturn]] void refuse(const Setting& setting, const std::string& where, const toml::node& node,
                         const std::string& expected) {
  throw InputError(where + setting.key + " is " + shown(node) + ", expected " + expected);
}

std::string range_text(const Setting& setting, const char* kind) {
  std::string text = kind;
  if (std::isfinite(setting.low)) text += " from " + to_text(setting.low);
  if (std::isfinite(setting.high) && setting.high < 1e18) text += " to " + to_text(setting.high);
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
  if (!std::filesystem::is_regular_file(file)) {
    throw InputError(file.string() + ": no such config file");
  }
  toml::table table;
  try {
    table = toml::parse_file(file.string());
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
  std::string key(assignment.substr(0, equals));
  const std::string text(assignment.substr(equals + 1));
  if (!table.empty() && key.find('.') == std::string::npos) key.insert(0, std::string(table) + '.');
  const Setting setting = find_setting(key, "", settings);
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + text);
  } catch (const toml::parse_error&) {
    parsed = toml::table{{"value", text}};
  }
  // A string setting takes its text as it stands: corpus=2024.txt needs no quotes.
  const bool wants_text = std::holds_alternative<std::string*>(setting.value);
  if (wants_text && !parsed["value"].is_string()) parsed = toml::table{{"value", text}};
  set(setting, "", *parsed.get("value"));
}

}  // namespace gradus
