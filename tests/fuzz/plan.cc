// SPDX-License-Identifier: Apache-2.0
// The plan of a sweep. What is read can be written and read again, and its runs can name folders.

#include "gradus/files/file.h"
#include "gradus/runs/sweep_plan.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/names_folder.h"
#include "tests/temporary_folder.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  static const testing::TemporaryFolder folder;
  std::filesystem::remove(folder.path("sweep.json"));
  folder.write("sweep.json", fuzz::text_of(data, size));
  const auto plan = fuzz::accepted([&] { return read_plan(folder.path()); });
  if (!plan) return 0;
  for (const SweepRun& run : plan->runs) {
    fuzz::require(fuzz::names_folder(run.name), "\"" + run.name + "\" can name a folder");
  }
  write_plan(*plan, folder.path());
  const std::string written = read_file(plan_file(folder.path()));
  write_plan(read_plan(folder.path()), folder.path());
  fuzz::require(read_file(plan_file(folder.path())) == written, "a plan is read as it was written");
  return 0;
}
