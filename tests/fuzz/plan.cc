// SPDX-License-Identifier: Apache-2.0
// The plan of a sweep. What is read can be written and read again, and its runs can name folders.

#include "gradus/files/file.h"
#include "gradus/runs/sweep_plan.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/names_folder.h"
#include "tests/temporary_folder.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(plan)(const std::string& bytes) {
  static const testing::TemporaryFolder folder;
  std::filesystem::remove(folder.path("sweep.json"));
  folder.write("sweep.json", bytes);
  const auto plan = accepted([&] { return read_plan(folder.path()); });
  if (!plan) return;
  for (const SweepRun& run : plan->runs) {
    require(names_folder(run.name), "\"" + run.name + "\" can name a folder");
  }
  write_plan(*plan, folder.path());
  const std::string written = read_file(plan_file(folder.path()));
  write_plan(read_plan(folder.path()), folder.path());
  require(read_file(plan_file(folder.path())) == written, "a plan is read as it was written");
}

}  // namespace gradus::fuzz
