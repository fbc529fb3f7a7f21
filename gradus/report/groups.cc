// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/groups.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/gains/gains.h"
#include "gradus/runs/run_syllabus.h"
#include "gradus/runs/settings.h"

namespace gradus::report {
namespace {

using Settings = std::map<std::string, std::string>;

// Settings of the task choice. Baselines do not use them.
bool is_of_syllabus(const std::string& key) {
  return key == "policy" || key.starts_with("syllabus.");
}

// Whether one of the signals of `gain` has the setting `key`.
bool gain_reads(const std::string& gain, const std::string& key) {
  const std::vector<std::string> signals = signals_of(gain);
  return std::ranges::any_of(gain_list(), [&](const GainEntry& entry) {
    return std::ranges::count(signals, entry.name) > 0 &&
           std::ranges::count(entry.settings, key) > 0;
  });
}

// Settings in which runs of a group may differ: the gain is part of the group's name, runs differ
// in their seeds, and the others do not change training itself.
bool is_of_no_account(const std::string& key) {
  static const std::set<std::string> keys = [] {
    RunSettings settings;
    std::set<std::string> found = {"gain", "seed"};
    for (const Setting& setting : settings_of(settings)) {
      if (!setting.changes_training) found.insert(setting.key);
    }
    return found;
  }();
  return keys.contains(key);
}

bool matters(const std::string& key, const std::string& gain) {
  return is_of_gains(key) ? gain_reads(gain, key) : !(is_baseline(gain) && is_of_syllabus(key));
}

void check_alike(std::span<const RunRecord> runs) {
  for (const RunRecord& run : runs) {
    const RunRecord& first = runs.front();
    const std::string curriculum = setting_of(run, "curriculum");
    const std::string expected = setting_of(first, "curriculum");
    if (curriculum != expected) {
      throw InputError(run.folder.string() + " has the curriculum " + curriculum + ", but " +
                       first.folder.string() + " has " + expected +
                       "; all runs of a report must have the same curriculum");
    }
    if (run.tasks != first.tasks) {
      throw InputError(run.folder.string() + " and " + first.folder.string() +
                       " have different tasks; all runs of a report must have the same tasks");
    }
  }
}

// Keys with different values among the runs that they matter to.
std::vector<std::string> differing_keys(std::span<const RunRecord> runs) {
  std::map<std::string, std::set<std::string>> values;
  for (const RunRecord& run : runs) {
    for (const auto& [key, value] : run.settings) {
      if (!is_of_no_account(key) && matters(key, setting_of(run, "gain"))) {
        values[key].insert(value);
      }
    }
  }
  std::vector<std::string> keys;
  for (const auto& [key, set] : values) {
    if (set.size() > 1) keys.push_back(key);
  }
  return keys;
}

std::string last_part(const std::string& key) {
  return key.substr(key.rfind('.') + 1);
}

// "vi", "eta=0.01", "printed sign". Keys with the same last part are written in full.
std::string variant_of(const Settings& differing) {
  std::map<std::string, int> endings;
  for (const auto& [key, value] : differing) ++endings[last_part(key)];
  std::string text;
  for (const auto& [key, value] : differing) {
    std::string word = (endings[last_part(key)] > 1 ? key : last_part(key)) + "=" + value;
    if (key == "objective" || key == "policy") word = value;
    if (key == "sign") word = value + " sign";
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

// Position of a gain in the paper's order, baselines first.
int rank_of(const std::string& gain) {
  std::vector<std::string> order;
  for (const Baseline& baseline : baselines()) order.push_back(baseline.name);
  for (const GainEntry& entry : gain_list()) order.push_back(entry.name);
  return static_cast<int>(std::find(order.begin(), order.end(), gain) - order.begin());
}

// The whole text as a number. The settings of a run that another program wrote may have any values.
template <typename Number>
Number parsed(const RunRecord& run, const std::string& key, const std::string& text,
              const char* expected) {
  const auto number = parse_number<Number>(text);
  if (number) return *number;
  throw InputError(run.folder.string() + ": " + key + " is \"" + text + "\", expected " + expected);
}

std::int64_t seed_of(const RunRecord& run) {
  return parsed<std::int64_t>(run, "seed", setting_of(run, "seed", "0"), "a whole number");
}

// Sorts runs by seed and keeps only the longest run of each seed.
void settle_seeds(Group& group, std::vector<std::string>& notes) {
  std::sort(group.runs.begin(), group.runs.end(), [](const RunRecord* a, const RunRecord* b) {
    return std::tuple(seed_of(*a), -last_steps(*a), a->folder) <
           std::tuple(seed_of(*b), -last_steps(*b), b->folder);
  });
  std::vector<const RunRecord*> kept;
  for (const RunRecord* run : group.runs) {
    if (!kept.empty() && seed_of(*kept.back()) == seed_of(*run)) {
      notes.push_back(run->folder.string() + " is left out: " + kept.back()->folder.string() +
                      " has the same settings and seed");
    } else {
      kept.push_back(run);
    }
  }
  group.runs = std::move(kept);
}

// Whether two groups agree in all settings that matter to both of their gains.
bool trained_alike(const Group& a, const Group& b) {
  return std::all_of(a.differing.begin(), a.differing.end(), [&](const auto& setting) {
    const auto other = b.differing.find(setting.first);
    return other == b.differing.end() || other->second == setting.second;
  });
}

}  // namespace

bool is_of_gains(const std::string& key) {
  GainSettings settings;
  const std::vector<Setting> all = settings_of(settings);
  return std::ranges::any_of(all, [&](const Setting& setting) { return setting.key == key; });
}

double number_setting(const RunRecord& run, const std::string& key, double otherwise) {
  const auto found = run.settings.find(key);
  if (found == run.settings.end()) return otherwise;
  return parsed<double>(run, key, found->second, "a number");
}

double last_steps(const RunRecord& run) {
  return run.metrics.empty() ? 0 : static_cast<double>(run.metrics.back().steps);
}

Grouping group_runs(std::span<const RunRecord> runs) {
  check_alike(runs);
  const std::vector<std::string> keys = differing_keys(runs);
  std::map<std::tuple<int, std::string, Settings>, Group> groups;
  for (const RunRecord& run : runs) {
    const std::string gain = setting_of(run, "gain");
    Settings differing;
    for (const std::string& key : keys) {
      if (matters(key, gain)) differing[key] = setting_of(run, key);
    }
    Group& group = groups[{rank_of(gain), gain, differing}];
    if (group.runs.empty()) {
      group.gain = gain;
      group.variant = variant_of(differing);
      group.name = gain + (group.variant.empty() ? "" : ", " + group.variant);
      group.differing = std::move(differing);
    }
    group.runs.push_back(&run);
  }
  Grouping result;
  for (auto& [key, group] : groups) {
    settle_seeds(group, result.notes);
    result.groups.push_back(std::move(group));
  }
  return result;
}

std::vector<const Group*> baselines_for(const Group& group, std::span<const Group> groups,
                                        const std::string& baseline) {
  if (group.gain == baseline || group.name == baseline) return {&group};
  std::vector<const Group*> found;
  for (const Group& other : groups) {
    if (other.name == baseline && !other.variant.empty()) return {&other};
    if (other.gain == baseline && trained_alike(group, other)) found.push_back(&other);
  }
  return found;
}

}  // namespace gradus::report
