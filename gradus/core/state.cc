// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/state.h"

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"

namespace gradus {
namespace {

using nlohmann::json;

// Shows numbers by value and anything else by type, since it may be long.
std::string text_of(const json& value) {
  return value.is_number() ? value.dump() : std::string("of type ") + value.type_name();
}

[[noreturn]] void refuse(const char* key, const std::string& found, const std::string& expected) {
  throw InputError("saved state is damaged: " + std::string(key) + " is " + found + ", expected " +
                   expected);
}

// No count gets that far, and one that starts below it cannot overflow.
constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 62;

std::uint64_t count_of(const json& value, const char* key) {
  const bool whole = value.is_number_integer();
  const bool positive = value.is_number_unsigned() || (whole && value.get<std::int64_t>() >= 0);
  if (!positive || value.get<std::uint64_t>() > kLargestCount) {
    refuse(key, text_of(value), "a whole number from 0 to 2^62");
  }
  return value.get<std::uint64_t>();
}

const json& list_of(const json& state, const char* key, std::size_t size) {
  const json& list = read_field(state, key);
  if (!list.is_array()) refuse(key, text_of(list), "a list of numbers");
  if (list.size() != size) {
    refuse(key, std::to_string(list.size()) + " numbers", std::to_string(size));
  }
  return list;
}

}  // namespace

const json& read_field(const json& state, const char* key) {
  if (!state.is_object()) {
    throw InputError("saved state is damaged: it is " + text_of(state) +
                     ", expected an object with \"" + std::string(key) + "\"");
  }
  const auto found = state.find(key);
  if (found == state.end()) {
    throw InputError("saved state is damaged: it has no \"" + std::string(key) + "\"");
  }
  return *found;
}

bool read_flag(const json& state, const char* key) {
  const json& value = read_field(state, key);
  if (!value.is_boolean()) refuse(key, text_of(value), "true or false");
  return value.get<bool>();
}

std::uint64_t read_count(const json& state, const char* key) {
  return count_of(read_field(state, key), key);
}

std::vector<std::uint64_t> read_counts(const json& state, const char* key, std::size_t size) {
  std::vector<std::uint64_t> counts;
  for (const json& value : list_of(state, key, size)) counts.push_back(count_of(value, key));
  return counts;
}

json save_number(double number) {
  if (std::isfinite(number)) return number;
  return to_text(number);
}

double read_number(const json& state, const char* key) {
  const json& value = read_field(state, key);
  if (value.is_number()) return value.get<double>();
  for (const double special : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    if (value == to_text(special)) return special;
  }
  refuse(key, text_of(value), "a number");
}

std::vector<double> read_numbers(const json& state, const char* key, std::size_t size) {
  const json& list = list_of(state, key, size);
  std::vector<double> numbers;
  numbers.reserve(size);
  for (const json& value : list) {
    const bool finite = value.is_number() && std::isfinite(value.get<double>());
    if (!finite) {
      refuse((std::string(key) + "[" + std::to_string(numbers.size()) + "]").c_str(),
             text_of(value), "a finite number");
    }
    numbers.push_back(value.get<double>());
  }
  return numbers;
}

}  // namespace gradus
