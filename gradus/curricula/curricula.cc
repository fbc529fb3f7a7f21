// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/curricula.h"

#include "gradus/core/error.h"

namespace gradus {
namespace {

// Calls act(settings) for the settings of each curriculum.
template <typename Settings, typename Act>
void for_each_row(Settings& settings, Act act) {
  std::apply([&](auto&... row) { (act(row), ...); }, settings);
}

[[noreturn]] void throw_unknown_curriculum(const std::string& name) {
  std::vector<std::string> names;
  for (const CurriculumEntry& entry : curriculum_list()) names.push_back(entry.name);
  throw_unknown("curriculum", name, names);
}

template <typename Settings>
SampleCommand sample_command(const Settings& settings, const Note& note) {
  return sample_sequences([&settings, note] { return make_curriculum(settings, note); });
}

template <typename Settings>
std::unique_ptr<DataReader> make_reader(const Settings& settings, const std::vector<std::string>&) {
  throw InputError("curriculum " + entry_of(settings).name +
                   " generates all its data: its networks read no files, answer no questions and "
                   "write no text");
}

}  // namespace

const std::vector<CurriculumEntry>& curriculum_list() {
  static const std::vector<CurriculumEntry> list = [] {
    std::vector<CurriculumEntry> entries;
    const CurriculumSettings settings;
    for_each_row(settings, [&](const auto& row) { entries.push_back(entry_of(row)); });
    return entries;
  }();
  return list;
}

std::vector<Setting> settings_of(CurriculumSettings& settings) {
  std::vector<Setting> all;
  for_each_row(settings, [&](auto& row) { append(all, settings_of(row)); });
  return all;
}

std::unique_ptr<Curriculum> make_curriculum(const std::string& name,
                                            const CurriculumSettings& settings, const Note& note) {
  std::unique_ptr<Curriculum> made;
  for_each_row(settings, [&](const auto& row) {
    if (entry_of(row).name == name) made = make_curriculum(row, note);
  });
  if (!made) throw_unknown_curriculum(name);
  return made;
}

std::unique_ptr<DataReader> make_reader(const std::string& name, const CurriculumSettings& settings,
                                        const std::vector<std::string>& vocabulary) {
  std::unique_ptr<DataReader> made;
  for_each_row(settings, [&](const auto& row) {
    if (entry_of(row).name == name) made = make_reader(row, vocabulary);
  });
  if (!made) throw_unknown_curriculum(name);
  return made;
}

CurriculumDescription description_of(const std::string& name, const CurriculumSettings& settings) {
  CurriculumDescription description;
  for_each_row(settings, [&](const auto& row) {
    if (entry_of(row).name == name) description = description_of(row);
  });
  return description;
}

SampleCommand sample_command(const std::string& name, const CurriculumSettings& settings,
                             const Note& note) {
  SampleCommand command;
  for_each_row(settings, [&](const auto& row) {
    if (entry_of(row).name == name) command = sample_command(row, note);
  });
  if (!command.run) throw_unknown_curriculum(name);
  return command;
}

}  // namespace gradus
