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

/// Everything that decides a run. A run is a pure function of these and of the data that they name.
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

/// One setting of a RunSettings: its key as configs and overrides spell it, what it means, where
/// its value is.
struct Setting {
  std::string key;
  std::string help;
  /// An optional number that is empty is written "auto".
  std::variant<std::string*, std::int64_t*, int*, double*, std::optional<double>*, bool*,
               std::vector<double>*>
      value;
  double low = 0;  ///< smallest and largest value of a number
  double high = 0;
  std::vector<std::string> choices = {};  ///< valid values of a string; empty where any will do
};

/// All settings, in the order in which they are shown; they point into `settings`.
std::vector<Setting> settings_of(RunSettings& settings);

/// The setting's value as TOML, and without the quotes of a string or of "auto".
std::string value_text(const Setting& setting);
std::string plain_text(const Setting& setting);

/// Throws InputError, with the nearest one, where `value` is not among a setting's choices.
void check_choice(const Setting& setting, const std::string& value);
/// The same for every setting: for settings that no file or override went through.
void check_choices(const RunSettings& settings);

/// All settings as a TOML file that load_settings() reads back as the same.
std::string config_text(RunSettings settings);

/// The defaults for a curriculum: the program's, except for those that its entry in
/// curriculum_list() changes.
RunSettings default_settings(const std::string& curriculum);

/// The settings of a new run: the defaults for its curriculum, then the values of the TOML file
/// `config` (empty for none), then each `key=value`. Either may name the curriculum. Paths become
/// absolute, so that they mean the same wherever the run goes on. Throws like load_settings().
RunSettings make_settings(const std::filesystem::path& config,
                          const std::vector<std::string>& overrides);

/// Reads a TOML file into `settings`, over what is there. Throws InputError that names file, line,
/// key and what was expected, with the nearest key for an unknown one.
void load_settings(const std::filesystem::path& file, RunSettings& settings);

/// Applies one `key=value`; the value is TOML, or else a plain string. With a `table`, only its
/// settings will do and their keys need not name it: `data babi variant=H` means babi.variant.
void apply_override(std::string_view assignment, RunSettings& settings,
                    std::string_view table = "");

}  // namespace gradus
