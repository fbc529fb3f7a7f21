// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gradus/core/setting.h"
#include "gradus/curricula/curricula.h"
#include "gradus/gains/gains.h"
#include "gradus/nn/device.h"
#include "gradus/nn/learner_settings.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"
#include "gradus/runs/stop_rule.h"

namespace gradus {

/// All settings of a run. A run is a pure function of these and of the data that they name.
struct RunSettings {
  std::string curriculum = "repeat-copy";
  std::string gain = "pg";
  GainSettings gains;
  std::string policy = "exp3s";
  std::int64_t seed = 1;
  std::int64_t steps = 10'000'000;
  std::int64_t batch = 32;
  std::string device = "cpu";
  Precision precision = Precision::kFp16;

  PolicySettings syllabus;
  QuantileScaleSettings reward_scale;
  std::string bad_reward = "stop";
  bool log_rewards = false;

  NetworkSettings network;
  LearnerSettings learner;  ///< without threads

  std::int64_t evaluation_interval = 100'000;
  std::int64_t evaluation_sequences = 64;
  bool evaluation_all_tasks = false;
  std::int64_t evaluation_all_tasks_interval = 0;
  StopSettings stop;
  double checkpoint_seconds = 60;
  std::string store = "auto";

  CurriculumSettings curricula;
};

/// All settings, with their keys in configs and overrides, in display order. Settings of other
/// folders are declared there, next to their structs.
std::vector<Setting> settings_of(RunSettings& settings);

/// The value as TOML; plain_text() omits the quotes of a string and of "auto".
std::string value_text(const Setting& setting);
std::string plain_text(const Setting& setting);
/// The plain_text() of every setting, by key.
std::map<std::string, std::string> setting_texts(RunSettings settings);

/// The settings that have different values in `a` and `b`, as pairs that refer to `a` and to `b`.
std::vector<std::pair<Setting, Setting>> differing(RunSettings& a, RunSettings& b);

/// All settings as TOML text, which load_settings() reads back unchanged.
std::string config_text(RunSettings settings);

/// The defaults for a curriculum: the program's defaults with the changes listed in its entry of
/// curriculum_list().
RunSettings default_settings(const std::string& curriculum);

/// The settings of a new run: the defaults for its curriculum, then the TOML file `config` (if not
/// empty), then each key=value of `overrides`. Either may name the curriculum. Makes paths
/// absolute, so that the run can be resumed from any directory. Throws like load_settings() and
/// apply_overrides().
RunSettings make_settings(const std::filesystem::path& config,
                          const std::vector<std::string>& overrides);

/// The same for the text of a config; messages call it `name`.
RunSettings parse_settings(const std::string& text, const std::string& name,
                           const std::vector<std::string>& overrides);

/// Makes the paths among the settings absolute, so that they mean the same in any directory.
void make_paths_absolute(RunSettings& settings);

/// Reads a TOML file over the values in `settings`. Throws an InputError that names file, line, key
/// and the expected value, and suggests the nearest key if the key is unknown.
void load_settings(const std::filesystem::path& file, RunSettings& settings);

/// Applies one `key=value` to the settings_of() a run. The value is parsed as TOML, or taken as a
/// plain string if it is not TOML. If `table` is given, only settings of that table are valid, and
/// keys may omit its name: `data babi variant=H` means babi.variant.
void apply_override(std::string_view assignment, const std::vector<Setting>& settings,
                    std::string_view table = "");

/// Applies all of them. Throws an InputError if two of them assign the same setting.
void apply_overrides(const std::vector<std::string>& assignments, RunSettings& settings,
                     std::string_view table = "");
/// Throws an InputError if two of the key=value assign the same setting. Keys may omit `table`.
void check_given_once(const std::vector<std::string>& assignments, std::string_view table = "");

}  // namespace gradus
