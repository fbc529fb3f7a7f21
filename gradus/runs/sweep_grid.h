// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/runs/settings.h"

namespace gradus {

/// One run of a sweep, named after the settings in which the runs differ. If several sweeps are
/// trained together, the subfolder of its own comes first: "babi/gain=pg".
struct SweepRun {
  std::string name;
  RunSettings settings;
};

/// The runs of the [sweep] table of a config, or of several [[sweep]] tables. Each table is a grid:
/// every combination of the values that it lists is a run. Other settings come from the rest of the
/// config.
///
///   [sweep]
///   gain = ["pg", "uniform"]
///   seed = [1, 2, 3]
///
/// An override sets a key in every grid, to one value or to a list of values. Throws an InputError
/// that names file, line and key if something is invalid, or if there is no grid.
std::vector<SweepRun> load_sweep(const std::filesystem::path& file,
                                 const std::vector<std::string>& overrides);

/// The same, or the single run that the config describes if it has no grid.
std::vector<SweepRun> load_runs(const std::filesystem::path& file,
                                const std::vector<std::string>& overrides);

/// load_sweep() for the text of a config; messages call it `name`.
std::vector<SweepRun> parse_sweep(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& overrides);

/// Whether the text of a config has a [sweep] table, so that it describes a sweep.
bool has_sweep_table(const std::string& text, const std::string& name);

}  // namespace gradus
