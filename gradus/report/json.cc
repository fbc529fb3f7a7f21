// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/json.h"

#include "gradus/gains/gains.h"
#include "gradus/report/numbers.h"
#include "gradus/runs/run_syllabus.h"

namespace gradus::report {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Bound bound) {
  return bound == Bound::kAtLeast ? "at least" : bound == Bound::kAtMost ? "at most" : "none";
}

}  // namespace

Json speed_up_json(const SpeedUp& speed_up) {
  Json json = {{"ratio", speed_up.ratio ? rounded(*speed_up.ratio) : Json()},
               {"bound", name_of(speed_up.bound)},
               {"remark", speed_up.remark}};
  if (const auto& interval = speed_up.interval) {
    json["interval"] = {rounded(interval->low), rounded(interval->high)};
  }
  return json;
}

Json goal_json(const Goal& goal) {
  return {{"measure", goal.measure.name},
          {"label", goal.measure.label},
          {"rising", goal.measure.rising},
          {"threshold", goal.threshold ? rounded(*goal.threshold) : Json()},
          {"origin", goal.origin}};
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string summary_of(const std::string& gain) {
  for (const Baseline& baseline : baselines()) {
    if (baseline.name == gain) return baseline.summary;
  }
  for (const GainEntry& entry : gain_list()) {
    if (entry.name == gain) return entry.summary;
  }
  return signals_of(gain).size() > 1 ? "several signals, among which the policy chooses" : "";
}

}  // namespace gradus::report
