#include "gradus/runs/toml_settings.h"

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
  // Accept floats without a fraction: 1e6 is a natural way to write a number of steps.
  const toml::value<std::int64_t>* integer = node.as_integer();
  const auto number = integer ? static_cast<double>(integer->get()) : node.value<double>();
  const bool whole = node.is_number() && number && *number == std::floor(*number);
  if (!whole || *number < setting.low || *number > setting.high) {
    refuse(setting, where, node, range_text(setting, "a whole number"));
  }
  return integer ? integer->get() : static_cast<std::int64_t>(*number);
}

// The number in `node`, or nothing if it is not a finite number in the setting's range.
std::optional<double> number_in_range(const Setting& setting, const toml::node& node) {
  const auto number = node.value<double>();
  if (!node.is_number() || !number || !std::isfinite(*number) || *number < setting.low ||
      *number > setting.high) {
    return std::nullopt;
  }
  return *number;
}

double read_number(const Setting& setting, const std::string& where, const toml::node& node) {
  const auto number = number_in_range(setting, node);
  if (!number) refuse(setting, where, node, range_text(setting, "a number"));
  return *number;
}

std::optional<double> read_number_or_auto(const Setting& setting, const std::string& where,
                                          const toml::node& node) {
  if (node.is_string() && *node.value<std::string>() == "auto") return std::nullopt;
  const auto number = number_in_range(setting, node);
  if (!number) refuse(setting, where, node, range_text(setting, "a number") + " or \"auto\"");
  return number;
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

void check_choice(const Setting& setting, const std::string& where, const std::string& value) {
  try {
    check_choice(setting, value);
  } catch (const InputError& error) {
    throw InputError(where + error.what());
  }
}

// Throws InputError if no setting belongs to the table `key`, even if the table is empty.
void check_table(const std::string& key, const std::string& where, RunSettings& settings) {
  std::vector<std::string> tables;
  for (const Setting& setting : settings_of(settings)) {
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

Setting find_setting(const std::string& key, const std::string& where, RunSettings& settings) {
  std::vector<std::string> keys;
  for (const Setting& setting : settings_of(settings)) {
    if (setting.key == key) return setting;
    keys.push_back(setting.key);
  }
  const std::string near = suggestion(key, keys);
  throw InputError(where + "unknown setting \"" + key + "\"" +
                   (near.empty() ? "; gradus train --help lists all settings"
                                 : "; did you mean \"" + near + "\"?"));
}

void set(const Setting& setting, const std::string& where, const toml::node& node) {
  const auto assign = [&](auto* value) {
    using Value = std::decay_t<decltype(*value)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      if (!node.is_string()) refuse(setting, where, node, "a string");
      check_choice(setting, where, *node.value<std::string>());
      *value = *node.value<std::string>();
    } else if constexpr (std::is_same_v<Value, bool>) {
      if (!node.is_boolean()) refuse(setting, where, node, "true or false");
      *value = *node.value<bool>();
    } else if constexpr (std::is_same_v<Value, double>) {
      *value = read_number(setting, where, node);
    } else if constexpr (std::is_same_v<Value, std::optional<double>>) {
      *value = read_number_or_auto(setting, where, node);
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
