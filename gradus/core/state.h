// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

// Readers for the fields of a saved state, which may be damaged or written by hand. They throw
// InputError naming the field if its value is not as expected, and never convert a value silently.

/// state[key], of any type.
const nlohmann::json& read_field(const nlohmann::json& state, const char* key);

/// state[key] as true or false.
bool read_flag(const nlohmann::json& state, const char* key);

/// state[key] as a whole number from 0 to 2^62.
std::uint64_t read_count(const nlohmann::json& state, const char* key);

/// state[key] as a list of `size` whole numbers from 0 to 2^62.
std::vector<std::uint64_t> read_counts(const nlohmann::json& state, const char* key,
                                       std::size_t size);

/// save_number() returns a number as JSON, and read_number() reads state[key] as such a number.
/// JSON has no infinities and no NaN, so these are stored as strings: "inf", "-inf" and "nan".
nlohmann::json save_number(double number);
double read_number(const nlohmann::json& state, const char* key);

/// state[key] as a list of `size` finite numbers.
std::vector<double> read_numbers(const nlohmann::json& state, const char* key, std::size_t size);

}  // namespace gradus
