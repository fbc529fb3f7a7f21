#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/runs/settings.h"

namespace gradus {

/// One run of a sweep, named after the settings in which it differs from the others.
struct SweepRun {
  std::string name;
  RunSettings settings;
};

/// The runs of a config's [sweep], or of several [[sweep]]: every combination of the values that
/// such a grid lists for its keys, over what stands beside it.
///
///   [sweep]
///   gain = ["pg", "uniform"]
///   seed = [1, 2, 3]
///
/// An override gives the key one value, or a list of them, in every grid. Throws InputError that
/// names file, line and key where something is wrong, or where there is no grid.
std::vector<SweepRun> load_sweep(const std::filesystem::path& file,
                                 const std::vector<std::string>& overrides);

/// The same for the text of a config; `name` stands for it in messages.
std::vector<SweepRun> parse_sweep(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& overrides);

}  // namespace gradus
