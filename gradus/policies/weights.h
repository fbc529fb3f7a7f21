#pragma once

#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

// What the exponential-weight policies have in common.

/// out = softmax(log_weights), safe for any finite weights; sizes equal.
void softmax(std::span<const double> log_weights, std::span<double> out);

/// state["log_weights"] as `size` finite numbers; throws InputError otherwise.
std::vector<double> read_log_weights(const nlohmann::json& state, int size);

/// Throws InputError naming the setting unless it is finite and `valid`.
void check_setting(const char* key, double value, bool valid, const char* expected);

}  // namespace gradus
