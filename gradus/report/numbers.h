// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <nlohmann/json.hpp>

namespace gradus::report {

/// The number with five significant digits, more than a figure shows; null if it is not finite.
/// Whole numbers have no decimal point.
nlohmann::ordered_json rounded(double value);
nlohmann::ordered_json rounded(std::span<const double> values);

}  // namespace gradus::report
