// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/core/curriculum.h"

namespace gradus {

/// Curriculum::sources(), followed by the vocabulary if there is one. It is stored with a run.
std::vector<DataSource> data_fingerprint(const Curriculum& curriculum);

/// As stored in run.db: [{"name": ..., "sha256": ...}, ...].
nlohmann::json to_json(const std::vector<DataSource>& sources);
/// Throws InputError if `json` is not the result of to_json().
std::vector<DataSource> read_sources(const nlohmann::json& json);

/// What differs between the data of a run and the data now: "prose has changed, verse is new".
/// Empty if nothing does.
std::string data_changes(const std::vector<DataSource>& stored, const std::vector<DataSource>& now);

/// The same for the run in `folder`. Empty too if the run was stored by an earlier version, which
/// kept no fingerprint, or was killed before it stored one.
std::string data_changes(const std::filesystem::path& folder, const Curriculum& curriculum);

}  // namespace gradus
