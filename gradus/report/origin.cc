// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/origin.h"

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/format.h>

#include "gradus/curricula/curricula.h"

namespace gradus::report {
namespace {

using Json = nlohmann::ordered_json;

// The day in UTC, so that a page does not depend on where it is made.
Json day_of(std::int64_t started) {
  if (started <= 0) return nullptr;
  using std::chrono::floor, std::chrono::sys_seconds, std::chrono::seconds, std::chrono::days;
  const std::chrono::year_month_day day(floor<days>(sys_seconds(seconds(started))));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

// Removes the settings of curricula that none of the runs has.
void remove_unread(const std::set<std::string>& curricula,
                   std::map<std::string, std::string>& settings) {
  const auto remove = [&](auto row) {
    if (curricula.contains(entry_of(row).name)) return;
    for (const Setting& setting : settings_of(row)) settings.erase(setting.key);
  };
  std::apply([&](const auto&... row) { (remove(row), ...); }, CurriculumSettings());
}

}  // namespace

Json origin_of(std::span<const Group> groups) {
  std::set<std::string> versions;
  std::set<std::string> curricula;
  std::map<std::string, std::string> shared = groups.front().runs.front()->settings;
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (const Group& group : groups) {
    for (const RunRecord* run : group.runs) {
      versions.insert(run->version);
      curricula.insert(setting_of(*run, "curriculum"));
      std::erase_if(shared, [&](const auto& setting) {
        const auto own = run->settings.find(setting.first);
        return own == run->settings.end() || own->second != setting.second;
      });
      if (run->started > 0) first = first > 0 ? std::min(first, run->started) : run->started;
      last = std::max(last, run->started);
    }
  }
  remove_unread(curricula, shared);
  return {{"versions", versions},
          {"first", day_of(first)},
          {"last", day_of(last)},
          {"settings", shared}};
}

}  // namespace gradus::report
