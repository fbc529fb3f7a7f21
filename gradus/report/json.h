// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "gradus/report/comparison.h"

namespace gradus::report {

// Parts of the documents that pages draw.

nlohmann::ordered_json speed_up_json(const SpeedUp& speed_up);
nlohmann::ordered_json goal_json(const Goal& goal);

/// The JSON as text on one line. Names of files may contain bytes that are not UTF-8; they become
/// replacement characters.
std::string text_of(const nlohmann::ordered_json& json);

/// What a signal or baseline is, in one line.
std::string summary_of(const std::string& gain);

}  // namespace gradus::report
