// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "gradus/core/curriculum.h"
#include "gradus/core/setting.h"
#include "gradus/curricula/babi/babi.h"
#include "gradus/curricula/files/files.h"
#include "gradus/curricula/ngram/settings.h"
#include "gradus/curricula/repeat_copy.h"
#include "gradus/curricula/sample_command.h"
#include "gradus/curricula/stress.h"

namespace gradus {

/// The table of curricula, one per row: the settings of each, in display order. Beside its settings
/// a curriculum declares entry_of(), settings_of(), description_of(), make_curriculum() and, if it
/// has a vocabulary, make_reader().
using CurriculumSettings = std::tuple<  //
    RepeatCopySettings,                 //
    BabiSettings,                       //
    NgramSettings,                      //
    FilesSettings,                      //
    StressSettings>;

const std::vector<CurriculumEntry>& curriculum_list();

/// The settings of all curricula.
std::vector<Setting> settings_of(CurriculumSettings& settings);

/// Makes the curriculum `name`. Calls `note` with warnings for the user. Throws InputError if there
/// is no such curriculum, or its settings or data are wrong.
std::unique_ptr<Curriculum> make_curriculum(const std::string& name,
                                            const CurriculumSettings& settings,
                                            const Note& note = nullptr);

/// Makes a reader of a user's data in the format of the curriculum `name`. `vocabulary` is that of
/// an earlier Curriculum::vocabulary(); the curriculum's own data are not needed. Throws InputError
/// if there is no such curriculum, or it reads no data.
std::unique_ptr<DataReader> make_reader(const std::string& name, const CurriculumSettings& settings,
                                        const std::vector<std::string>& vocabulary);

/// Curriculum::description() without making the curriculum `name`, whose data may be missing. The
/// default description if there is no such curriculum.
CurriculumDescription description_of(const std::string& name, const CurriculumSettings& settings);

/// The command `gradus data NAME`, which reads `settings` when it runs. A curriculum may declare
/// its own beside its settings; others have sample_sequences(). Throws InputError if there is no
/// such curriculum.
SampleCommand sample_command(const std::string& name, const CurriculumSettings& settings,
                             const Note& note);

}  // namespace gradus
