// SPDX-License-Identifier: Apache-2.0
// A list of the tasks of a user's curriculum, in TOML.

#include "gradus/curricula/files/manifest.h"

#include <algorithm>
#include <set>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  const std::string text = fuzz::text_of(data, size);
  const auto list = fuzz::accepted([&] { return files::parse_manifest(text, "folder/list.toml"); });
  if (!list) return 0;
  std::set<std::string> names;
  for (const files::TaskFile& task : list->tasks) names.insert(task.name);
  fuzz::require(!names.empty() && names.size() == list->tasks.size(), "tasks have unique names");
  fuzz::require(!names.contains(""), "tasks have names");
  fuzz::require(list->target.empty() || names.contains(list->target), "the target is a task");
  return 0;
}
