// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_folder.h"

#include <string>
#include <system_error>
#include <vector>

#include "gradus/core/error.h"
#include "gradus/files/file.h"
#include "gradus/runs/settings.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

// Whether the file is a new version of another, which was not yet renamed.
bool is_leftover(const fs::path& file) {
  const fs::path folder = file.parent_path();
  return DurableFile::is_temporary(file, config_file(folder)) ||
         DurableFile::is_temporary(file, database_file(folder));
}

// A new run may find the lock and claims of an interrupted start, and the log that its output goes
// to.
bool holds_something(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path& path = entry.path();
    const bool expected =
        path == lock_file(folder) || path == claims_folder(folder) || path == log_file(folder);
    if (!expected && !is_leftover(path)) return true;
  }
  return false;
}

}  // namespace

fs::path config_file(const fs::path& folder) {
  return folder / "config.toml";
}

fs::path database_file(const fs::path& folder) {
  return folder / "run.db";
}

fs::path checkpoints_folder(const fs::path& folder) {
  return folder / "checkpoints";
}

fs::path lock_file(const fs::path& folder) {
  return folder / "lock";
}

fs::path claims_folder(const fs::path& folder) {
  return folder / "claims";
}

fs::path log_file(const fs::path& folder) {
  return folder / "log.txt";
}

fs::path existing_config(const fs::path& folder) {
  if (fs::exists(config_file(folder))) return config_file(folder);
  throw InputError(folder.string() + ": contains no run (there is no config.toml)");
}

RunSettings stored_settings(const fs::path& folder) {
  RunSettings settings;
  load_settings(existing_config(folder), settings);
  return settings;
}

InputError contains_no_run(const fs::path& folder) {
  return InputError(folder.string() + ": contains no run (no run.db, no record)");
}

void make_run_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw InputError(folder.string() + ": cannot create the run folder: " +
                     (error ? error.message() : "a file of that name exists"));
  }
}

void check_free(const fs::path& folder) {
  if (fs::is_directory(folder) && holds_something(folder)) {
    throw InputError(folder.string() + ": is not empty; a run needs a new or empty folder");
  }
}

void remove_leftovers(const fs::path& folder) {
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_leftover(entry.path())) leftovers.push_back(entry.path());
  }
  for (const fs::path& path : leftovers) fs::remove(path);
}

}  // namespace gradus
