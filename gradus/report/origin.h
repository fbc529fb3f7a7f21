// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/report/groups.h"

namespace gradus::report {

/// Where the runs of a report come from, for its footer: `versions` of gradus, the day of the
/// `first` and the `last` start (null if unknown), and `settings`, which all runs share.
nlohmann::ordered_json origin_of(std::span<const Group> groups);

}  // namespace gradus::report
