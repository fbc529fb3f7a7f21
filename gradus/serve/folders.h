// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gradus::serve {

/// A run below one of the watched folders.
struct NamedRun {
  std::filesystem::path path;  ///< a run folder or a record
  std::string name;  ///< relative to its folder; begins with the folder if there are several
};

/// The folders that a server watches. Nothing outside them is read, also not through symbolic
/// links.
class Folders {
 public:
  /// Throws InputError if one of them is not a folder.
  explicit Folders(const std::vector<std::string>& folders);

  const std::vector<std::filesystem::path>& roots() const { return roots_; }
  /// All runs below the folders, sorted by name.
  std::vector<NamedRun> find() const;
  /// Whether the path, after all symbolic links, is one of the folders or below one.
  bool contain(const std::filesystem::path& path) const;
  /// The folder below the first root with this relative name, for a new run. Throws InputError if
  /// the name is empty, absolute, or leads out of it.
  std::filesystem::path place_for(const std::string& name) const;

 private:
  std::filesystem::path label(const std::filesystem::path& root) const;

  std::vector<std::filesystem::path> roots_;  // canonical
};

/// The text of a regular file, or its last `most` bytes from the start of a line. Empty if there is
/// no such file. Does not follow a symbolic link.
std::string end_of_file(const std::filesystem::path& file, std::size_t most);

}  // namespace gradus::serve
