// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/serve/children.h"
#include "gradus/serve/folders.h"

namespace gradus::serve {

/// Starts, stops and resumes runs and sweeps. Throws InputError if that is not possible.
class Control {
 public:
  Control(const Folders& folders, std::filesystem::path program)
      : folders_(folders), children_(std::move(program)) {}

  /// Asks the processes that work on these runs to save and stop. A process that trains a sweep
  /// stops with all its runs.
  void stop(const std::vector<std::filesystem::path>& runs);
  /// Continues a run, or all unfinished runs of a sweep, given its folder.
  void resume(const std::filesystem::path& folder);
  /// Starts a run, or a sweep if the config has a table [sweep], in a new folder with this name.
  /// `config` is the text of the config, and `settings` are key=value.
  void start(const std::string& config, const std::vector<std::string>& settings,
             const std::string& name);

  /// Collects processes that have ended. Must be called now and then.
  void collect() { children_.collect(); }

 private:
  const Folders& folders_;
  Children children_;
};

}  // namespace gradus::serve
