// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace gradus {

/// Path of the config file in the folder of a run that Gradus trains. Runs that other programs
/// record have none.
std::filesystem::path config_file(const std::filesystem::path& folder);

/// Creates the folder of a new run, unless it exists. Throws InputError if it cannot be created.
void make_run_folder(const std::filesystem::path& folder);

/// Throws InputError if `folder` exists and a new run cannot use it: it contains something other
/// than what an interrupted start leaves.
void check_free(const std::filesystem::path& folder);

/// Removes a config.toml that an interrupted start has not yet renamed.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace gradus
