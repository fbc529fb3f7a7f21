// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>

#include "gradus/core/curriculum.h"
#include "gradus/report/groups.h"

namespace gradus::report {

/// Those of the paper's figures that a report of these runs redraws: none unless all runs have the
/// paper's settings, and only figures whose steps at least one run reaches. REQUIRES
/// !groups.empty().
std::map<std::string, PaperFigure> paper_figures(std::span<const Group> groups);

}  // namespace gradus::report
