// SPDX-License-Identifier: Apache-2.0
// The record of a run. What is read can be compared in a report, and written and read again.

#include <sstream>

#include "gradus/files/gzip.h"
#include "gradus/report/document.h"
#include "gradus/runs/export.h"
#include "gradus/runs/record_file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/temporary_folder.h"

namespace gradus::fuzz {
namespace {

std::string text_of(const RunRecord& run) {
  std::ostringstream text;
  write_jsonl(run, text);
  return text.str();
}

}  // namespace

GRADUS_FUZZ_TARGET(record)(const std::string& text) {
  static const testing::TemporaryFolder folder;
  accepted([&] { return gunzip(text, "fuzzed", 1 << 20); });
  // Compressed here, because no change of compressed bytes gets past their checksum.
  std::filesystem::remove(folder.path("a.jsonl.gz"));
  const std::string file = folder.write("a.jsonl.gz", gzip(text));
  const auto run = accepted([&] { return read_record(file); });
  if (!run) return;
  const std::string again = folder.path("b.jsonl.gz");
  write_record(*run, again);
  const std::string written = text_of(read_record(again));
  write_record(read_record(again), again);
  require(text_of(read_record(again)) == written, "a record is read as it was written");
  accepted([&] {
    std::vector<RunRecord> runs = {*run, *run};
    runs.back().settings["seed"] += "1";
    return report::document_of(report::make_report(std::move(runs), {})).dump();
  });
}

}  // namespace gradus::fuzz
