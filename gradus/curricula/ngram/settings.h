// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gradus/core/curriculum.h"
#include "gradus/core/setting.h"
#include "gradus/curricula/data_reader.h"
#include "gradus/curricula/sample_command.h"

namespace gradus {

struct NgramSettings {
  std::string corpus;
  int max_order = 10;
  std::int64_t characters = 1'000'000;
  int sequence = 150;
  int context = 50;
  std::int64_t data_seed = 1;
  std::string cache;  ///< empty: gradus/ in XDG_CACHE_HOME or ~/.cache
};
CurriculumEntry entry_of(const NgramSettings& settings);
std::vector<Setting> settings_of(NgramSettings& settings);
CurriculumDescription description_of(const NgramSettings& settings);
std::unique_ptr<Curriculum> make_curriculum(const NgramSettings& settings, const Note& note);
std::unique_ptr<DataReader> make_reader(const NgramSettings& settings,
                                        const std::vector<std::string>& vocabulary);
/// Samples characters from the models, or scores a text under one.
SampleCommand sample_command(const NgramSettings& settings, const Note& note);

/// Throws InputError naming the setting that is out of range or does not fit the others.
void check(const NgramSettings& settings);

}  // namespace gradus
