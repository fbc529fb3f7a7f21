#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradus::files {

enum class FileKind { kText, kJsonLines };

/// One task of a user's curriculum.
struct TaskFile {
  std::string name;
  std::string path;
  FileKind kind = FileKind::kText;
};

/// The tasks of a user's curriculum, at least one, names unique.
struct Manifest {
  std::vector<TaskFile> tasks;
  std::string target;  ///< a task's name, or empty
};

/// Reads a list of tasks. `path` is a folder: every *.txt in it is a text task and every *.jsonl a
/// JSON Lines task, named by the file's stem, in order of their names, hidden files left out; or a
/// TOML file (see parse_manifest). Throws InputError.
Manifest read_manifest(const std::string& path);

/// A list of tasks in TOML, in this order:
///
///   target = "prose"         # optional
///   [[task]]
///   path = "texts/prose.txt" # relative to the list's own folder
///   name = "prose"           # optional: the file's stem
///   kind = "text"            # optional: "text" or "jsonl"; by the file's ending otherwise
///
/// `file` is where the text comes from. Throws InputError naming it, the line and the reason.
Manifest parse_manifest(std::string_view text, const std::string& file);

}  // namespace gradus::files
