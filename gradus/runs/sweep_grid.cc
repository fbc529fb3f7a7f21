// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/sweep_grid.h"

#include <algorithm>
#include <map>
#include <set>

#include "gradus/core/error.h"
#include "gradus/files/utf8.h"
#include "gradus/runs/toml_settings.h"

namespace gradus {
namespace {

// The values of each key, as TOML.
using Grid = std::map<std::string, std::vector<std::string>>;

constexpr std::size_t kMostRuns = 100'000;
constexpr std::size_t kLongestName = 200;  // bytes; a file system allows 255

// Checks a value by assigning it to the setting, and returns its canonical text.
std::string checked_value(const Setting& setting, const std::string& where,
                          const toml::node& node) {
  set(setting, where, node);
  return value_text(setting);
}

// The values of a list, unless the setting itself takes a list; otherwise the one value.
std::vector<std::string> read_values(const Setting& setting, const std::string& where,
                                     const toml::node& node) {
  const toml::array* list = node.as_array();
  const bool takes_list = std::holds_alternative<std::vector<double>*>(setting.value);
  if (!list || (takes_list && !list->is_homogeneous<toml::array>())) {
    return {checked_value(setting, where, node)};
  }
  if (list->empty()) throw InputError(where + "sweep." + setting.key + " is an empty list");
  std::vector<std::string> values;
  for (const toml::node& element : *list) {
    const std::string value = checked_value(setting, where, element);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

void read_grid(const toml::table& table, const std::string& prefix, const std::string& file,
               const std::vector<Setting>& scratch, Grid& grid) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (const toml::table* inner = node.as_table()) {
      read_grid(*inner, key + ".", file, scratch, grid);
    } else {
      const std::string where = location(file, node);
      grid[key] = read_values(find_setting(key, where, scratch), where, node);
    }
  }
}

std::vector<Grid> read_grids(const toml::table& config, const std::string& file,
                             const std::vector<Setting>& scratch) {
  const toml::node* sweep = config.get("sweep");
  std::vector<Grid> grids;
  if (const toml::table* table = sweep ? sweep->as_table() : nullptr) {
    read_grid(*table, "", file, scratch, grids.emplace_back());
  } else if (const toml::array* list = sweep ? sweep->as_array() : nullptr) {
    for (const toml::node& element : *list) {
      const toml::table* one = element.as_table();
      if (!one) throw InputError(location(file, *sweep) + "sweep is a list, expected tables");
      read_grid(*one, "", file, scratch, grids.emplace_back());
    }
  } else if (sweep) {
    throw InputError(location(file, *sweep) + "sweep is " + shown(*sweep) + ", expected a table");
  }
  return grids;
}

// Applies an override: a list of values is set in all grids; a single value is appended to
// `single`, and its key removed from all grids.
void apply(const std::string& assignment, const std::vector<Setting>& scratch,
           std::vector<Grid>& grids, std::vector<std::string>& single) {
  const std::size_t equals = std::min(assignment.find('='), assignment.size());
  const std::string key = assignment.substr(0, equals);
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + assignment.substr(std::min(equals + 1, assignment.size())));
  } catch (const toml::parse_error&) {
    // Not TOML, so a plain string: apply_override() handles it.
  }
  const toml::node* value = parsed.get("value");
  if (value && value->is_array() && equals > 0) {
    const std::vector<std::string> values = read_values(find_setting(key, "", scratch), "", *value);
    for (Grid& grid : grids) grid[key] = values;
    return;
  }
  single.push_back(assignment);
  for (Grid& grid : grids) grid.erase(key);
}

// Appends every combination of the values of the grid; the last key changes fastest.
void expand(const Grid& grid, const RunSettings& base, std::vector<RunSettings>& runs) {
  std::vector<RunSettings> made = {base};
  for (const auto& [key, values] : grid) {
    std::vector<RunSettings> more;
    if (runs.size() + made.size() * values.size() > kMostRuns) {
      throw InputError("the sweep has more than " + std::to_string(kMostRuns) + " runs");
    }
    for (const RunSettings& settings : made) {
      for (const std::string& value : values) {
        apply_override(key + "=" + value, settings_of(more.emplace_back(settings)));
      }
    }
    made = std::move(more);
  }
  runs.insert(runs.end(), made.begin(), made.end());
}

// Expands the grid separately for each curriculum that it lists, since curricula have different
// defaults.
void expand(const Grid& grid, const toml::table& config, const std::string& file,
            const std::vector<std::string>& overrides, std::vector<RunSettings>& runs) {
  const auto curricula = grid.find("curriculum");
  if (curricula == grid.end()) return expand(grid, make_settings(config, file, overrides), runs);
  for (const std::string& curriculum : curricula->second) {
    Grid part = grid;
    part.erase("curriculum");
    std::vector<std::string> all = overrides;
    all.push_back("curriculum=" + curriculum);
    expand(part, make_settings(config, file, all), runs);
  }
}

// At most the first `size` bytes of a text, cut between code points.
std::string beginning(std::string_view text, std::size_t size) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + std::max<std::size_t>(code_point_bytes(text.substr(end)), 1);
    if (next > size) break;
    end = next;
  }
  return std::string(text.substr(0, end));
}

// The value of a setting, safe for a file name.
std::string name_text(const Setting& setting) {
  std::string text = plain_text(setting);
  for (char& c : text) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    if (control || c == '/' || c == ',' || c == ' ') c = '_';
  }
  return beginning(text, 60);
}

// The keys of the settings that are not the same in all runs.
std::set<std::string> differing_keys(std::vector<RunSettings>& runs) {
  std::set<std::string> keys;
  for (RunSettings& run : runs) {
    for (const auto& [first, mine] : differing(runs.front(), run)) keys.insert(mine.key);
  }
  return keys;
}

// Names each run after the settings that are not the same in all runs. Equal settings are one run.
std::vector<SweepRun> name_runs(std::vector<RunSettings> runs) {
  const std::set<std::string> differs = differing_keys(runs);
  std::vector<SweepRun> named;
  std::set<std::string> configs;
  std::set<std::string> names;
  std::map<std::string, int> taken;
  for (RunSettings& run : runs) {
    if (!configs.insert(config_text(run)).second) continue;
    std::string name;
    for (const Setting& setting : settings_of(run)) {
      if (!differs.contains(setting.key)) continue;
      name += (name.empty() ? "" : ",") + setting.key + "=" + name_text(setting);
    }
    if (name.empty()) name = "run";
    name = beginning(name, kLongestName);
    // Long values are cut, so that different runs may have the same name.
    int& number = taken[name];
    std::string unique = name;
    while (!names.insert(unique).second) unique = name + "." + std::to_string(++number + 1);
    named.push_back({unique, run});
  }
  return named;
}

std::vector<SweepRun> make_runs(toml::table config, const std::string& file,
                                const std::vector<std::string>& overrides, bool needs_grid) {
  RunSettings unused;
  const std::vector<Setting> scratch = settings_of(unused);  // to check values by assigning them
  std::vector<Grid> grids = read_grids(config, file, scratch);
  config.erase("sweep");
  const bool has_table = !grids.empty();
  if (!has_table) grids.emplace_back();
  check_given_once(overrides);
  std::vector<std::string> single;
  for (const std::string& assignment : overrides) apply(assignment, scratch, grids, single);
  std::vector<RunSettings> runs;
  for (const Grid& grid : grids) expand(grid, config, file, single, runs);
  if (needs_grid && !has_table && grids.front().empty()) {
    throw InputError(file +
                     ": has no [sweep] table, and no key=value lists several values; "
                     "use gradus train for a single run");
  }
  return name_runs(std::move(runs));
}

}  // namespace

std::vector<SweepRun> load_sweep(const std::filesystem::path& file,
                                 const std::vector<std::string>& overrides) {
  return make_runs(parse_toml(file), file.string(), overrides, true);
}

std::vector<SweepRun> load_runs(const std::filesystem::path& file,
                                const std::vector<std::string>& overrides) {
  return make_runs(parse_toml(file), file.string(), overrides, false);
}

bool has_sweep_table(const std::string& text, const std::string& name) {
  return parse_toml(text, name).contains("sweep");
}

std::vector<SweepRun> parse_sweep(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& overrides) {
  return make_runs(parse_toml(text, name), name, overrides, true);
}

}  // namespace gradus
