// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/stop_rule.h"

#include <algorithm>
#include <iterator>

#include "gradus/core/error.h"

namespace gradus {

std::vector<Setting> settings_of(StopSettings& s) {
  std::vector<Setting> all = {
      {"stop.target_loss",
       "end the run early once the target's held-out loss, in nats per output, has stayed below "
       "this for stop.after steps; 0 means never",
       &s.target_loss,
       {0, 1e6}},
      {"stop.after",
       "input steps for which the loss must stay below stop.target_loss",
       &s.after,
       {0, kLargestCount}},
      {"stop.share",
       "share of the evaluations during these steps that must be below it; less than 1 if rare "
       "held-out sequences stay hard",
       &s.share,
       {0.01, 1}},
  };
  for (Setting& setting : all) setting.changes_training = false;
  return all;
}

std::deque<StopRule::Seen>::const_iterator StopRule::first(std::int64_t steps) const {
  const auto later = std::ranges::upper_bound(seen_, steps - settings_.after, {}, &Seen::steps);
  return later == seen_.begin() ? seen_.end() : std::prev(later);
}

void StopRule::see(std::int64_t steps, double loss) {
  if (settings_.target_loss == 0) return;
  seen_.push_back({steps, loss < settings_.target_loss});
  const auto counts = first(steps);
  if (counts != seen_.end()) seen_.erase(seen_.begin(), counts);
}

bool StopRule::reached(std::int64_t steps) const {
  const auto from = first(steps);
  const auto below = std::count_if(from, seen_.end(), [](const Seen& seen) { return seen.below; });
  const auto all = std::distance(from, seen_.end());
  return all > 0 && static_cast<double>(below) >= settings_.share * static_cast<double>(all);
}

nlohmann::json StopRule::save() const {
  nlohmann::json state = nlohmann::json::array();
  for (const Seen& seen : seen_) state.push_back({seen.steps, seen.below});
  return state;
}

void StopRule::restore(const nlohmann::json& state) {
  seen_.clear();
  if (!state.is_array()) throw InputError("the state of the stop rule is not an array");
  for (const nlohmann::json& entry : state) {
    const bool fits = entry.is_array() && entry.size() == 2 && entry[0].is_number_integer() &&
                      entry[1].is_boolean();
    const auto steps = fits ? entry[0].get<std::int64_t>() : -1;
    if (steps < 0 || (!seen_.empty() && steps < seen_.back().steps)) {
      throw InputError("the state of the stop rule contains " + entry.dump() +
                       ", expected [steps, below] with no fewer steps than before");
    }
    seen_.push_back({steps, entry[1].get<bool>()});
  }
}

}  // namespace gradus
