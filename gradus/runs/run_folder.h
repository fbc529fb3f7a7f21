// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gradus/core/error.h"

namespace gradus {

struct RunSettings;

/// Path of the config file in the folder of a run that Gradus trains. Runs that other programs
/// record have none.
std::filesystem::path config_file(const std::filesystem::path& folder);
/// Path of the database of a run. docs/runs.md has its schema.
std::filesystem::path database_file(const std::filesystem::path& folder);
std::filesystem::path checkpoints_folder(const std::filesystem::path& folder);
/// Path of the file that RunLock locks.
std::filesystem::path lock_file(const std::filesystem::path& folder);
/// Path of the folder with a file per Claim.
std::filesystem::path claims_folder(const std::filesystem::path& folder);
/// Path of the output of the process that gradus serve started for this run or sweep.
std::filesystem::path log_file(const std::filesystem::path& folder);

/// config_file(). Throws InputError if there is none.
std::filesystem::path existing_config(const std::filesystem::path& folder);
/// The settings in the config file of a run. Throws InputError if there is none, or if it is
/// invalid.
RunSettings stored_settings(const std::filesystem::path& folder);

/// The error about a folder in which a run was expected.
InputError contains_no_run(const std::filesystem::path& folder);

/// Creates the folder of a new run, unless it exists. Throws InputError if it cannot be created.
void make_run_folder(const std::filesystem::path& folder);

/// Throws InputError if `folder` exists and a new run cannot use it: it contains something other
/// than what an interrupted start leaves.
void check_free(const std::filesystem::path& folder);

/// Removes new versions of config.toml and run.db that a former holder of the run has not yet
/// renamed. If it is only suspended, it can no longer replace the files of its successor, who calls
/// this.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace gradus
