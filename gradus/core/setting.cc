// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/setting.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"

namespace gradus {
namespace {

std::string range_text(const Range& range) {
  const std::string low = to_text(range.low);
  const std::string high = to_text(range.high);
  if (!range.above && !range.below) return "from " + low + " to " + high;
  return (range.above ? "above " : "at least ") + low + " and " +
         (range.below ? "below " : "at most ") + high;
}

void check_number(const Setting& setting, double value, const std::string& text) {
  if (!setting.range.contains(value)) throw InputError(refusal_text(setting, text));
}

void check_list(const Setting& setting, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (setting.range.contains(values[i])) continue;
    throw InputError(setting.key + "[" + std::to_string(i) + "] is " + to_text(values[i]) +
                     ", expected a number " + range_text(setting.range));
  }
}

struct WrongType {};

// JSON's booleans would convert to numbers.
double number_in(const nlohmann::json& json) {
  if (!json.is_number()) throw WrongType();
  return json.get<double>();
}

}  // namespace

std::string expected_text(const Setting& setting) {
  const auto text = [&](const auto& value) -> std::string {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string*> || std::is_same_v<Value, EnumValue>) {
      return "a string";
    } else if constexpr (std::is_same_v<Value, bool*>) {
      return "true or false";
    } else if constexpr (std::is_same_v<Value, double*>) {
      return "a number " + range_text(setting.range);
    } else if constexpr (std::is_same_v<Value, std::optional<double>*>) {
      return "a number " + range_text(setting.range) + " or \"auto\"";
    } else if constexpr (std::is_same_v<Value, std::vector<double>*>) {
      return "a list of numbers " + range_text(setting.range);
    } else {
      return "a whole number " + range_text(setting.range);
    }
  };
  return std::visit(text, setting.value);
}

std::string refusal_text(const Setting& setting, const std::string& value) {
  return setting.key + " is " + value + ", expected " + expected_text(setting);
}

std::size_t find_choice(const Setting& setting, const std::string& name) {
  return find_known(setting.key, name, setting.choices);
}

void check_string(const Setting& setting, const std::string& text) {
  if (setting.check_string) return setting.check_string(text);
  if (!setting.choices.empty() && !setting.is_path) find_choice(setting, text);
}

void check(const Setting& setting) {
  const auto check_value = [&](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string*>) {
      check_string(setting, *value);
    } else if constexpr (std::is_same_v<Value, double*>) {
      check_number(setting, *value, to_text(*value));
    } else if constexpr (std::is_same_v<Value, std::optional<double>*>) {
      if (*value) check_number(setting, **value, to_text(**value));
    } else if constexpr (std::is_same_v<Value, std::vector<double>*>) {
      check_list(setting, *value);
    } else if constexpr (std::is_same_v<Value, int*> || std::is_same_v<Value, std::int64_t*>) {
      check_number(setting, static_cast<double>(*value), std::to_string(*value));
    }
  };
  std::visit(check_value, setting.value);
}

nlohmann::json to_json(const Setting& setting) {
  const auto json_of = [&](const auto& value) -> nlohmann::json {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, EnumValue>) {
      return setting.choices.at(value.get());
    } else if constexpr (std::is_same_v<Value, std::optional<double>*>) {
      return *value ? nlohmann::json(**value) : nlohmann::json("auto");
    } else {
      return *value;
    }
  };
  return std::visit(json_of, setting.value);
}

void set_json(const Setting& setting, const nlohmann::json& json) {
  const auto set = [&](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, EnumValue>) {
      value.set(find_choice(setting, json.get<std::string>()));
    } else if constexpr (std::is_same_v<Value, std::optional<double>*>) {
      *value = json == "auto" ? std::nullopt : std::optional(number_in(json));
    } else if constexpr (std::is_same_v<Value, double*>) {
      *value = number_in(json);
    } else if constexpr (std::is_same_v<Value, std::vector<double>*>) {
      std::vector<double> numbers;
      for (const nlohmann::json& entry : json.get<std::vector<nlohmann::json>>()) {
        numbers.push_back(number_in(entry));
      }
      *value = std::move(numbers);
    } else if constexpr (std::is_same_v<Value, int*> || std::is_same_v<Value, std::int64_t*>) {
      if (!json.is_number_integer()) throw WrongType();
      *value = json.get<std::remove_pointer_t<Value>>();
    } else {
      *value = json.get<std::remove_pointer_t<Value>>();
    }
  };
  try {
    std::visit(set, setting.value);
  } catch (const WrongType&) {
    throw InputError(refusal_text(setting, json.dump()));
  } catch (const nlohmann::json::exception&) {
    throw InputError(refusal_text(setting, json.dump()));
  }
}

std::vector<Setting> with_prefix(const std::string& prefix, std::vector<Setting> settings) {
  for (Setting& setting : settings) setting.key = prefix + setting.key;
  return settings;
}

void append(std::vector<Setting>& settings, std::vector<Setting> more) {
  std::ranges::move(more, std::back_inserter(settings));
}

}  // namespace gradus
