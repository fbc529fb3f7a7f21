// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/curriculum.h"

namespace gradus::files {

enum class FileKind { kText, kJsonLines };

/// One task of a user's curriculum.
struct TaskFile {
  std::string name;
  std::string path;
  FileKind kind = FileKind::kText;
};

/// The tasks of a user's curriculum: at least one, with unique names.
struct Manifest {
  std::vector<TaskFile> tasks;
  std::string target;              ///< name of the target task, or empty if there is none
  std::optional<DataSource> list;  ///< the TOML file that was read, if any
};

/// Reads a list of tasks from `path`, which is a folder or a TOML file (see parse_manifest()). In a
/// folder, every *.txt file is a text task and every *.jsonl file a JSON Lines task, except hidden
/// files. Tasks are named by the file's stem and sorted by name. Throws InputError.
Manifest read_manifest(const std::string& path);

/// Parses a list of tasks in TOML. Tasks keep the order of the list.
///
///   target = "prose"         # optional
///   [[task]]
///   path = "texts/prose.txt" # relative to the folder of the list
///   name = "prose"           # optional, default: the file's stem
///   kind = "text"            # optional, "text" or "jsonl", default: by the file's extension
///
/// `file` is the path of the list. Throws InputError naming it, the line and the reason.
Manifest parse_manifest(std::string_view text, const std::string& file);

}  // namespace gradus::files
