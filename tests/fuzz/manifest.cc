// SPDX-License-Identifier: Apache-2.0
// A list of the tasks of a user's curriculum, in TOML.

#include "gradus/curricula/files/manifest.h"

#include <algorithm>
#include <set>

#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(manifest)(const std::string& text) {
  const auto list = accepted([&] { return files::parse_manifest(text, "folder/list.toml"); });
  if (!list) return;
  std::set<std::string> names;
  for (const files::TaskFile& task : list->tasks) names.insert(task.name);
  require(!names.empty() && names.size() == list->tasks.size(), "tasks have unique names");
  require(!names.contains(""), "tasks have names");
  require(list->target.empty() || names.contains(list->target), "the target is a task");
}

}  // namespace gradus::fuzz
