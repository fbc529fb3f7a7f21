#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gradus/curricula/babi/babi.h"
#include "gradus/curricula/files/files.h"
#include "gradus/curricula/ngram/settings.h"
#include "gradus/curricula/repeat_copy.h"
#include "gradus/nn/learner_settings.h"
#include "gradus/nn/objective.h"
#include "gradus/nn/rmsprop.h"
#include "gradus/nn/spec.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"

namespace gradus {

/// All settings of a run. A run is a pure function of these and of the data that they name.
struct RunSettings {
  std::string curriculum = "repeat-copy";
  std::string gain = "pg";
  std::string sign = "derived";
  std::string policy = "exp3s";
  std::string objective = "ml";
  std::int64_t seed = 1;
  std::int64_t steps = 10'000'000;
  std::int64_t batch = 32;
  std::string device = "cpu";
  std::string precision = "fp16";

  PolicySettings syllabus;
  QuantileScaleSettings reward_scale;
  std::string bad_reward = "stop";
  bool log_rewards = false;

  std::int64_t layers = 1;
  std::int64_t cells = 512;
  InitialWeights initial;
  double derivative_limit = LearnerSettings().derivative_limit;
  RmsPropSettings optimiser;

  double l2_decay = 1e-4;
  std::string vi_prior = "global";
  double vi_posterior_width = 0.02;
  double vi_prior_width = 0.1;
  double vi_sequences = 0;
  std::string vi_evaluate = "mean";

  std::int64_t evaluation_interval = 100'000;
  std::int64_t evaluation_sequences = 64;
  bool evaluation_all_tasks = false;
  std::int64_t evaluation_all_tasks_interval = 0;
  double stop_target_loss = 0;
  std::int64_t stop_after = 0;
  double checkpoint_seconds = 60;

  RepeatCopySettings repeat_copy;
  BabiSettings babi;
  NgramSettings ngram;
  FilesSettings files;
};

/// One setting of a RunSettings: its key in configs and overrides, its help text, and a pointer to
/// its value.
struct Setting {
  std::string key;
  std::string help;
  /// An empty std::optional<double> is written "auto".
  std::variant<std::string*, std::int64_t*, int*, double*, std::optional<double>*, bool*,
               std::vector<double>*>
      value;
  double low = 0;  ///< smallest and largest valid number, both inclusive
  double high = 0;
  std::vector<std::string> choices = {};  ///< valid strings; empty if any string is valid
};

/// All settings, in display order. They point into `settings`.
std::vector<Setting> settings_of(RunSettings& settings);

/// The value as TOML; plain_text() omits the quotes of a string and of "auto".
std::string value_text(const Setting& setting);
std::string plain_text(const Setting& setting);

/// Throws an InputError with the nearest choice if `value` is not a valid choice for the setting.
void check_choice(const Setting& setting, const std::string& value);
/// Checks every setting: for settings that were not read from a file or an override.
void check_choices(const RunSettings& settings);

/// All settings as TOML text, which load_settings() reads back unchanged.
std::string config_text(RunSettings settings);

/// The defaults for a curriculum: the program's defaults with the changes listed in its entry of
/// curriculum_list().
RunSettings default_settings(const std::string& curriculum);

/// The settings of a new run: the defaults for its curriculum, then the TOML file `config` (if not
/// empty), then each key=value of `overrides`. Either may name the curriculum. Makes paths
/// absolute, so that the run can be resumed from any directory. Throws like load_settings().
RunSettings make_settings(const std::filesystem::path& config,
                          const std::vector<std::string>& overrides);

/// Reads a TOML file over the values in `settings`. Throws an InputError that names file, line, key
/// and the expected value, and suggests the nearest key if the key is unknown.
void load_settings(const std::filesystem::path& file, RunSettings& settings);

/// Applies one `key=value`. The value is parsed as TOML, or taken as a plain string if it is not
/// TOML. If `table` is given, only settings of that table are valid, and keys may omit its name:
/// `data babi variant=H` means babi.variant.
void apply_override(std::string_view assignment, RunSettings& settings,
                    std::string_view table = "");

}  // namespace gradus
