#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

// Fields of a saved state. A file may be damaged or written by hand: anything but what is expected
// throws InputError naming the field, and nothing is converted in silence.

/// state[key], of any type.
const nlohmann::json& read_field(const nlohmann::json& state, const char* key);

/// state[key] as a whole number, 0 or more.
std::uint64_t read_count(const nlohmann::json& state, const char* key);

/// state[key] as a list of `size` such numbers.
std::vector<std::uint64_t> read_counts(const nlohmann::json& state, const char* key,
                                       std::size_t size);

/// A number as JSON, and state[key] as such a number. JSON has no infinities and no NaN: those are
/// written as words.
nlohmann::json save_number(double number);
double read_number(const nlohmann::json& state, const char* key);

/// state[key] as a list of `size` finite numbers.
std::vector<double> read_numbers(const nlohmann::json& state, const char* key, std::size_t size);

}  // namespace gradus
