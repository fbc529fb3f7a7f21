// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/toml_settings.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "gradus/core/error.h"
#include "gradus/files/file.h"

namespace gradus {
namespace {

// The most likely intended key: one with this last component, or the nearest.
std::string suggestion(const std::string& key, const std::vector<std::string>& keys) {
  for (const std::string& candidate : keys) {
    if (candidate.ends_with("." + key)) return candidate;
  }
  return nearest_name(key, keys);
}

[[noreturn]] void refuse(const Setting& setting, const std::string& where, const toml::node& node) {
  throw InputError(where + refusal_text(setting, shown(node)));
}

std::int64_t read_whole(const Setting& setting, const std::string& where, const toml::node& node) {
  // Accept floats without a fraction: 1e6 is a natural way to write a number of steps.
  const toml::value<std::int64_t>* integer = node.as_integer();
  const auto number = integer ? static_cast<double>(integer->get()) : node.value<double>();
  const bool whole = node.is_number() && number && *number == std::floor(*number);
  if (!whole || !setting.range.contains(*number)) refuse(setting, where, node);
  return integer ? integer->get() : static_cast<std::int64_t>(*number);
}

double read_number(const Setting& setting, const std::string& where, const toml::node& node) {
  const auto number = node.value<double>();
  if (!node.is_number() || !number || !setting.range.contains(*number)) {
    refuse(setting, where, node);
  }
  return *number;
}

std::optional<double> read_number_or_auto(const Setting& setting, const std::string& where,
                                          const toml::node& node) {
  if (node.is_string() && *node.value<std::string>() == "auto") return std::nullopt;
  return read_number(setting, where, node);
}

std::vector<double> read_numbers(const Setting& setting, const std::string& where,
                                 const toml::node& node) {
  const toml::array* array = node.as_array();
  if (!array) refuse(setting, where, node);
  std::vector<double> numbers;
  for (const toml::node& element : *array) {
    const auto number = element.value<double>();
    if (!element.is_number() || !setting.range.contains(*number)) refuse(setting, where, node);
    numbers.push_back(*number);
  }
  return numbers;
}

std::string read_string(const Setting& setting, const std::string& where, const toml::node& node) {
  const auto text = node.value<std::string>();
  if (!node.is_string() || !text) refuse(setting, where, node);
  try {
    check_string(setting, *text);
    return *text;
  } catch (const InputError& error) {
    throw InputError(where + error.what());
  }
}

// Throws InputError if no setting belongs to the table `key`, even if the table is empty.
void check_table(const std::string& key, const std::string& where,
                 const std::vector<Setting>& settings) {
  std::vector<std::string> tables;
  for (const Setting& setting : settings) {
    const std::string table = setting.key.substr(0, setting.key.find('.'));
    if (table == key && table != setting.key) return;
    if (table != setting.key && (tables.empty() || tables.back() != table)) tables.push_back(table);
  }
  if (key.find('.') != std::string::npos) return;  // nested: its keys are checked one by one
  try {
    throw_unknown("table", key, tables);
  } catch (const InputError& error) {
    throw InputError(where + error.what());
  }
}

}  // namespace

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

const Setting& find_setting(const std::string& key, const std::string& where,
                            const std::vector<Setting>& settings) {
  const auto found = std::ranges::find(settings, key, &Setting::key);
  if (found != settings.end()) return *found;
  std::vector<std::string> keys;
  for (const Setting& setting : settings) keys.push_back(setting.key);
  const std::string near = suggestion(key, keys);
  throw InputError(where + "unknown setting \"" + key + "\"" +
                   (near.empty() ? "; gradus train --help lists all settings"
                                 : "; did you mean \"" + near + "\"?"));
}

void set(const Setting& setting, const std::string& where, const toml::node& node) {
  const auto assign = [&](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string*>) {
      *value = read_string(setting, where, node);
    } else if constexpr (std::is_same_v<Value, EnumValue>) {
      value.set(find_choice(setting, read_string(setting, where, node)));
    } else if constexpr (std::is_same_v<Value, bool*>) {
      if (!node.is_boolean()) refuse(setting, where, node);
      *value = *node.value<bool>();
    } else if constexpr (std::is_same_v<Value, double*>) {
      *value = read_number(setting, where, node);
    } else if constexpr (std::is_same_v<Value, std::optional<double>*>) {
      *value = read_number_or_auto(setting, where, node);
    } else if constexpr (std::is_same_v<Value, std::vector<double>*>) {
      *value = read_numbers(setting, where, node);
    } else {
      *value = static_cast<std::decay_t<decltype(*value)>>(read_whole(setting, where, node));
    }
  };
  std::visit(assign, setting.value);
}

void load_table(const toml::table& table, const std::string& prefix, const std::string& file,
                const std::vector<Setting>& settings) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    const std::string where = location(file, node);
    if (const toml::table* inner = node.as_table()) {
      check_table(key, where, settings);
      load_table(*inner, key + ".", file, settings);
    } else {
      set(find_setting(key, where, settings), where, node);
    }
  }
}

toml::table parse_toml(const std::filesystem::path& file) {
  return parse_toml(read_file(file), file.string());
}

toml::table parse_toml(const std::string& text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw InputError(name + ":" + std::to_string(error.source().begin.line) + ": " +
                     std::string(error.description()));
  }
}

}  // namespace gradus
