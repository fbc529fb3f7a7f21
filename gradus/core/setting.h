// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

/// The valid numbers of a setting.
struct Range {
  double low = 0;
  double high = 0;
  bool above = false;  ///< `low` itself is invalid
  bool below = false;  ///< `high` itself is invalid

  /// False for NaN.
  bool contains(double value) const {
    return (above ? value > low : value >= low) && (below ? value < high : value <= high);
  }
};

/// Upper bound of seeds and counts: a round number that fits into 64 bits.
inline constexpr double kLargestCount = 9e18;

/// Refers to an enumeration or a bool. Its values, counted from 0, are named by Setting::choices.
struct EnumValue {
  template <typename Enum>
  explicit EnumValue(Enum* value)
      : get([value] { return static_cast<std::size_t>(*value); }),
        set([value](std::size_t position) { *value = static_cast<Enum>(position); }) {}
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};

/// The declaration of one setting: its key, what it means, what is valid, and a reference to its
/// value. The default is the value in a new struct.
///
/// A folder with settings declares them next to their struct, in a function
///
///   std::vector<Setting> settings_of(MySettings& settings);
///
/// which lists them in display order. They refer to members of `settings`, which must outlive them.
struct Setting {
  std::string key;
  std::string help;
  /// An empty std::optional<double> is written "auto".
  std::variant<std::string*, std::int64_t*, int*, double*, std::optional<double>*, bool*,
               std::vector<double>*, EnumValue>
      value;
  Range range = {};  ///< of a number, or of each number of a list
  /// Valid strings; empty if any string is valid. If is_path is true: words that do not name a
  /// path, such as "none".
  std::vector<std::string> choices = {};
  /// Throws InputError if a string is invalid. If it is set, `choices` are only the most usual
  /// strings.
  std::function<void(const std::string&)> check_string = {};
  bool is_path = false;
  /// Whether training depends on it. Runs may be averaged if they differ only in other settings.
  bool changes_training = true;
};

/// Which values are valid, in words: "a whole number from 1 to 30".
std::string expected_text(const Setting& setting);
/// The message about an invalid value: "repeat_copy.bits is 31, expected a whole number from 1 to
/// 30".
std::string refusal_text(const Setting& setting, const std::string& value);

/// The position of `name` among the choices. Throws an InputError that suggests the nearest choice
/// if it is none of them.
std::size_t find_choice(const Setting& setting, const std::string& name);

/// Throws an InputError that suggests the nearest choice if `text` is not valid for this setting.
void check_string(const Setting& setting, const std::string& text);

/// Throws an InputError that names key, value and valid values if the value is invalid.
void check(const Setting& setting);

/// The value as JSON. An empty std::optional<double> is "auto"; an EnumValue is its choice.
nlohmann::json to_json(const Setting& setting);
/// Sets the value from JSON. Throws an InputError that names key, value and valid values if it has
/// the wrong type. Does not check the range.
void set_json(const Setting& setting, const nlohmann::json& value);

/// `settings` with `prefix` before each key.
std::vector<Setting> with_prefix(const std::string& prefix, std::vector<Setting> settings);
/// Appends `more` to `settings`.
void append(std::vector<Setting>& settings, std::vector<Setting> more);

/// Checks every setting and returns `settings`.
template <typename Settings>
const Settings& checked(const Settings& settings) {
  Settings copy = settings;
  for (const Setting& setting : settings_of(copy)) check(setting);
  return settings;
}

}  // namespace gradus
