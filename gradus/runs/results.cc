// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/results.h"

#include <algorithm>

#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/runs/record_file.h"
#include "gradus/runs/resumable.h"
#include "gradus/runs/run_reader.h"
#include "gradus/runs/toml_settings.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

bool holds(RunSettings settings, const std::string& key, const std::vector<std::string>& values) {
  const std::vector<Setting> all = settings_of(settings);
  const Setting& setting = find_setting(key, "", all);
  const std::string own = value_text(setting);
  return std::ranges::any_of(values, [&](const std::string& value) {
    apply_override(key + "=" + value, all);
    return value_text(setting) == own;
  });
}

}  // namespace

fs::path RecordFolder::file_of(const SweepRun& run) const {
  return folder_ / (run.name + std::string(kRecordSuffix));
}

bool RecordFolder::has(const SweepRun& run) const {
  const fs::path file = file_of(run);
  if (!fs::exists(file)) return false;
  const RunRecord record = read_record(file);
  RunSettings wanted = run.settings;
  for (const Setting& setting : settings_of(wanted)) {
    const auto stored = record.settings.find(setting.key);
    // A record of an earlier version lacks the settings that are new since then.
    if (stored == record.settings.end() || may_change(setting)) continue;
    if (stored->second == plain_text(setting)) continue;
    throw InputError(file.string() + ": is of a run with " + setting.key + " = " + stored->second +
                     ", but the sweep has " + plain_text(setting) + "; choose another folder");
  }
  return true;
}

void RecordFolder::add(const SweepRun& run, const fs::path& run_folder) const {
  const fs::path file = file_of(run);
  fs::create_directories(file.parent_path());
  write_record(read_run(run_folder), file);
}

std::vector<SweepRun> only(std::vector<SweepRun> runs, const std::vector<std::string>& conditions) {
  for (const std::string& condition : conditions) {
    const std::size_t equals = condition.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError("\"" + condition + "\" is not of the form KEY=VALUE[,VALUE...]");
    }
    const std::string key = condition.substr(0, equals);
    const std::vector<std::string> values = split(condition.substr(equals + 1), ',');
    std::erase_if(runs, [&](const SweepRun& run) { return !holds(run.settings, key, values); });
    if (runs.empty()) throw InputError("no run of the sweep has " + condition);
  }
  return runs;
}

}  // namespace gradus
