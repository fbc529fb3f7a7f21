#pragma once

#include <span>

namespace gradus {

// What the exponential-weight policies have in common.

/// out = softmax(log_weights), safe for any finite weights; sizes equal.
void softmax(std::span<const double> log_weights, std::span<double> out);

/// Bound of eta and beta: far beyond any use, and a step of both divided by a small probability is
/// still a number.
inline constexpr double kLargestStep = 1e100;

/// Throws InputError naming the setting unless it is finite and `valid`.
void check_setting(const char* key, double value, bool valid, const char* expected);

}  // namespace gradus
