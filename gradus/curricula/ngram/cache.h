// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "gradus/curricula/ngram/settings.h"

namespace gradus {

/// A folder of files that saves repeated work. An entry is found by its name. It is valid only if
/// its checksums are right and its key, which describes everything that it was made from, matches;
/// otherwise it counts as absent and `note` is told. Writes are atomic, so several runs may share a
/// folder.
class NgramCache {
 public:
  /// `directory` as in NgramSettings::cache.
  NgramCache(const std::string& directory, Note note);

  /// Returns the payload stored under `name`, or nullopt if there is none or it was stored with
  /// another `key`.
  std::optional<std::string> load(const std::string& name, std::string_view key) const;
  /// Replaces the entry `name`. If the folder cannot be written, tells `note` and does not throw.
  void store(const std::string& name, std::string_view key, std::string_view payload) const;
  /// Tells `note` that the entry `name` is invalid although its checksums are right.
  void reject(const std::string& name) const;

 private:
  void tell(const std::filesystem::path& file, const std::string& what) const;

  std::filesystem::path directory_;  // empty if nothing is cached
  Note note_;
};

}  // namespace gradus
