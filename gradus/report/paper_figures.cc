// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/paper_figures.h"

#include <algorithm>

namespace gradus::report {
namespace {

bool has_paper_settings(const RunRecord& run) {
  return std::ranges::all_of(run.description.paper_settings, [&](const auto& setting) {
    return setting_of(run, setting.first) == setting.second;
  });
}

}  // namespace

std::map<std::string, PaperFigure> paper_figures(std::span<const Group> groups) {
  double longest = 0;
  for (const Group& group : groups) {
    for (const RunRecord* run : group.runs) {
      if (!has_paper_settings(*run)) return {};
      longest = std::max(longest, last_steps(*run));
    }
  }
  std::map<std::string, PaperFigure> figures =
      groups.front().runs.front()->description.paper_figures;
  std::erase_if(figures, [&](const auto& figure) { return figure.second.steps > longest; });
  return figures;
}

}  // namespace gradus::report
