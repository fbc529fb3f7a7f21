// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/manifest.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>
#include <tuple>

#include <toml++/toml.h>

#include "gradus/core/error.h"
#include "gradus/curricula/files/text_file.h"
#include "gradus/files/checksums.h"
#include "gradus/files/file.h"
#include "gradus/files/utf8.h"

namespace gradus::files {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_of(const Manifest& manifest) {
  std::vector<std::string> names;
  for (const TaskFile& task : manifest.tasks) names.push_back(task.name);
  return names;
}

// Reads the tables of a list. Holds the file name for error messages.
class ListReader {
 public:
  explicit ListReader(const std::string& file) : file_(file) {}

  Manifest read(const toml::table& list) const {
    static const std::array<std::string, 2> keys = {"target", "task"};
    check_keys(list, keys);
    Manifest manifest;
    if (const toml::node* tasks = list.get("task")) read_tasks(*tasks, manifest);
    if (manifest.tasks.empty()) throw_at(file_, 1, "the list has no [[task]]");
    if (const toml::node* target = list.get("target")) {
      manifest.target = string(*target, "target");
      rethrow_at(*target, [&] { find_known("task", manifest.target, names_of(manifest)); });
    }
    return manifest;
  }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& reason) const {
    throw_at(file_, node.source().begin.line, reason);
  }

  // Runs `body`; adds the file and the line of `node` to its error.
  template <typename Body>
  void rethrow_at(const toml::node& node, Body body) const try {
    body();
  } catch (const InputError& error) {
    fail(node, error.what());
  }

  void check_keys(const toml::table& table, std::span<const std::string> valid) const {
    for (const auto& [key, node] : table) {
      rethrow_at(node, [&, &name = key] { find_known("key", name.str(), valid); });
    }
  }

  std::string string(const toml::node& node, const std::string& key) const {
    const toml::value<std::string>* text = node.as_string();
    if (!text || text->get().empty()) fail(node, "\"" + key + "\" must be a non-empty string");
    return text->get();
  }

  void read_tasks(const toml::node& tasks, Manifest& manifest) const {
    if (!tasks.is_array_of_tables()) fail(tasks, "\"task\" must be an array of tables, [[task]]");
    std::set<std::string> names;
    for (const toml::node& entry : *tasks.as_array()) {
      manifest.tasks.push_back(read_task(*entry.as_table()));
      const std::string& name = manifest.tasks.back().name;
      if (!names.insert(name).second) fail(entry, "another task is already named \"" + name + "\"");
    }
  }

  TaskFile read_task(const toml::table& table) const {
    static const std::array<std::string, 3> keys = {"name", "path", "kind"};
    check_keys(table, keys);
    const toml::node* path = table.get("path");
    if (!path) fail(table, "the task has no \"path\"");
    const fs::path given = string(*path, "path");
    TaskFile task;
    task.path = (fs::path(file_).parent_path() / given).string();
    const toml::node* name = table.get("name");
    task.name = name ? string(*name, "name") : given.stem().string();
    if (task.name.empty())
      fail(*path, "\"" + given.string() + "\" names a folder, expected a file");
    const toml::node* kind = table.get("kind");
    task.kind = kind ? kind_named(*kind) : kind_of(given, *path);
    return task;
  }

  FileKind kind_named(const toml::node& node) const {
    const std::string kind = string(node, "kind");
    if (kind == "text") return FileKind::kText;
    if (kind == "jsonl") return FileKind::kJsonLines;
    fail(node, "kind is \"" + kind + "\", expected \"text\" or \"jsonl\"");
  }

  FileKind kind_of(const fs::path& path, const toml::node& node) const {
    if (path.extension() == ".txt") return FileKind::kText;
    if (path.extension() == ".jsonl") return FileKind::kJsonLines;
    fail(node, "\"" + path.string() +
                   "\" ends in neither .txt nor .jsonl: set kind = \"text\" or \"jsonl\"");
  }

  const std::string& file_;
};

Manifest read_folder(const std::string& path) {
  std::error_code error;
  Manifest manifest;
  fs::directory_iterator entries(path, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const fs::path file = entries->path();
    const bool is_text = file.extension() == ".txt";
    if (!is_text && file.extension() != ".jsonl") continue;
    if (file.filename().string().starts_with(".")) continue;
    manifest.tasks.push_back(
        {file.stem().string(), file.string(), is_text ? FileKind::kText : FileKind::kJsonLines});
  }
  if (error) throw InputError(path + ": cannot be read: " + error.message());
  if (manifest.tasks.empty()) throw InputError(path + ": no *.txt or *.jsonl file in this folder");
  std::sort(manifest.tasks.begin(), manifest.tasks.end(), [](const TaskFile& a, const TaskFile& b) {
    return std::tie(a.name, a.path) < std::tie(b.name, b.path);
  });
  for (std::size_t i = 0; i < manifest.tasks.size(); ++i) {
    const TaskFile& task = manifest.tasks[i];
    if (find_invalid_utf8(task.name) != std::string_view::npos) {
      throw InputError(path + ": the name of task " + std::to_string(i) + " is not UTF-8");
    }
    if (i > 0 && task.name == manifest.tasks[i - 1].name) {
      throw InputError(task.path + ": another task is already named \"" + task.name + "\"");
    }
  }
  return manifest;
}

}  // namespace

Manifest parse_manifest(std::string_view text, const std::string& file) try {
  return ListReader(file).read(toml::parse(checked_text(text, file)));
} catch (const toml::parse_error& error) {
  throw_at(file, error.source().begin.line, "not TOML: " + std::string(error.description()));
}

Manifest read_manifest(const std::string& path) {
  if (path.empty()) throw InputError("files.path is not set; expected a folder or a .toml list");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return read_folder(path);
  if (fs::exists(status) && fs::path(path).extension() != ".toml") {
    throw InputError("files.path is " + path +
                     ", expected a folder of .txt and .jsonl files or a .toml list of tasks");
  }
  const std::string bytes = read_file(path);
  Manifest manifest = parse_manifest(bytes, path);
  manifest.list = {fs::path(path).filename().string(), sha256(bytes)};
  return manifest;
}

}  // namespace gradus::files
