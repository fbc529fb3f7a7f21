// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/find_runs.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/runs/record_file.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_reader.h"
#include "gradus/runs/run_store.h"
#include "gradus/runs/settings.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

void make_run(const std::string& folder) {
  std::filesystem::create_directories(folder);
  RunSettings settings;
  settings.steps = 100;
  std::get<RepeatCopySettings>(settings.curricula) = {.max_length = 1, .max_repeats = 2};
  RunStore store(folder);
  store.describe(setting_texts(settings), {"1,1", "1,2"}, 1);
  store.set_status("running");
  for (const std::int64_t steps : {0, 40}) {
    Metrics metrics;
    metrics.steps = steps;
    metrics.target_loss = 1.0 / static_cast<double>(1 + steps);
    const double rate = steps == 0 ? Metrics::kNone : 5;
    store.add(metrics, {steps, {0.5, 0.5}, {}, {}}, {steps, 8, rate});
  }
}

TEST(FindRuns, FindsRunFoldersAndRecordsAtAnyDepth) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"b", "a", "deep/c"}) make_run(folder.path(name));
  std::filesystem::create_directories(folder.path("empty"));
  std::filesystem::create_directories(folder.path("lost"));
  folder.write("lost/config.toml", "");
  folder.write("lost/lock", "");
  write_record(read_run(folder.path("a")), folder.path("d.jsonl.gz"));
  std::filesystem::create_directory_symlink(folder.path(), folder.path("deep/loop"));
  const auto all = find_runs(folder.path());
  EXPECT_THAT(all, ElementsAre(folder.path("a"), folder.path("b"), folder.path("d.jsonl.gz"),
                               folder.path("deep/c"), folder.path("lost")));
  EXPECT_THAT(find_runs(folder.path("d.jsonl.gz")), ElementsAre(folder.path("d.jsonl.gz")));
  EXPECT_THAT(find_runs(folder.path("empty")), IsEmpty());
  EXPECT_THROW(find_runs(folder.path("nosuch")), InputError);
  EXPECT_EQ(find_runs(std::vector{folder.path("a"), folder.path().string()}).size(), all.size());
  EXPECT_THROW(find_runs(std::vector{folder.path("a"), folder.path("empty")}), InputError);
}

TEST(FindRuns, ShowsHowFarARunIs) {
  const testing::TemporaryFolder folder;
  make_run(folder.path("a"));
  FoundRun found = read_found(folder.path("a"));
  EXPECT_EQ(found.run.status, "stopped");
  EXPECT_TRUE(std::isnan(found.seconds_left()));
  const RunLock lock(folder.path("a"));
  found = read_found(folder.path("a"));
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(found.run.status, "running");
  EXPECT_EQ(found.steps(), 40);
  EXPECT_EQ(found.total_steps(), 100);
  EXPECT_EQ(found.steps_per_second(), 5);
  EXPECT_EQ(found.seconds_left(), 12);
  ASSERT_EQ(found.run.metrics.size(), 1u);
  EXPECT_EQ(found.run.metrics[0].target_loss, 1.0 / 41);
}

TEST(FindRuns, ABrokenRunDoesNotHideTheOthers) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"a", "broken", "lost", "z"}) make_run(folder.path(name));
  write_record(read_run(folder.path("a")), folder.path("record.jsonl.gz"));
  folder.write("bad.jsonl.gz", "not compressed");
  folder.write("broken/run.db", std::string(5000, 'x'));
  std::filesystem::remove(folder.path("lost/run.db"));
  folder.write("lost/config.toml", "");
  folder.write("lost/lock", "");
  std::vector<std::string> problems;
  for (const FoundRun& found : scan_runs(folder.path())) {
    if (found.problem.empty()) {
      EXPECT_EQ(found.steps(), 40) << found.run.folder;
      EXPECT_THAT(found.run.task_metrics, IsEmpty());
    } else {
      problems.push_back(found.problem);
      EXPECT_THAT(found.problem, StartsWith(found.run.folder.string()));
    }
  }
  EXPECT_THAT(problems, ElementsAre(HasSubstr("/bad.jsonl.gz: "), HasSubstr("/broken/run.db: "),
                                    HasSubstr("/lost: contains no run")));
  std::vector<std::string> told;
  const auto tell = [&](const std::string& line) { told.push_back(line); };
  EXPECT_FALSE(read_unless_broken(folder.path("broken"), tell));
  EXPECT_EQ(read_unless_broken(folder.path("z"), tell)->metrics.size(), 2u);
  EXPECT_THAT(told, ElementsAre(problems[1]));
}

TEST(RunReader, ReadsEventsInOrder) {
  const testing::TemporaryFolder folder;
  make_run(folder.path("a"));
  RunStore store(folder.path("a"));
  store.add_event(0, "started", "first");
  store.add_event(40, "failed", "second");
  const std::vector<RunEvent> events = read_events(folder.path("a"));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind + events[0].message, "startedfirst");
  EXPECT_EQ(events[1].steps, 40);
  EXPECT_THAT(events[1].time, ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

}  // namespace
}  // namespace gradus
