// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_follower.h"

#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "gradus/runs/export.h"
#include "gradus/runs/record_file.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_reader.h"
#include "gradus/runs/run_store.h"
#include "gradus/runs/settings.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using Depth = RunFollower::Depth;

void describe(RunStore& store) {
  RunSettings settings;
  std::get<RepeatCopySettings>(settings.curricula) = {.max_length = 1, .max_repeats = 2};
  store.describe(setting_texts(settings), {"1,1", "1,2"}, 0, {}, {.title = "others"});
}

// Every third evaluation measures all tasks.
void evaluate(RunStore& store, std::int64_t steps) {
  const bool all = steps % 3 == 0;
  Metrics metrics;
  metrics.steps = steps;
  metrics.target_loss = 1.0 / static_cast<double>(steps + 1);
  if (all) metrics.mean_loss = 2.0;
  const double other = all ? 3.0 : Metrics::kNone;
  store.add(metrics, {steps, {0.25, 0.75}, {metrics.target_loss, other}, {}},
            {steps, 0.5 * static_cast<double>(steps), 2});
}

std::string text_of(const RunRecord& run) {
  std::ostringstream text;
  write_jsonl(run, text);
  return text.str();
}

// What a report makes of the whole store.
std::string whole(const std::filesystem::path& folder) {
  RunRecord run = read_run(folder);
  thin_tasks(run);
  return text_of(run);
}

TEST(RunFollower, HasAtAnyMomentWhatAReportReads) {
  const testing::TemporaryFolder folder;
  RunStore store(folder.path());
  describe(store);
  store.set_status("running");
  store.add_event(0, "started", "");
  RunFollower follower(folder.path());
  for (int steps = 0; steps < 400; ++steps) {
    evaluate(store, steps);
    if (steps % 7 != 0) continue;
    EXPECT_TRUE(follower.refresh(Depth::kAll));
    ASSERT_EQ(text_of(follower.record()), whole(folder.path())) << steps;
  }
  EXPECT_FALSE(follower.refresh());
  const RunLock lock(folder.path());
  EXPECT_TRUE(follower.refresh());  // a process works on the run now
  EXPECT_EQ(follower.record().status, "running");
}

TEST(RunFollower, NoticesThatAResumedRunWritesRowsAgain) {
  const testing::TemporaryFolder folder;
  auto store = std::make_unique<RunStore>(folder.path());
  describe(*store);
  for (int steps = 0; steps < 100; ++steps) evaluate(*store, steps);
  RunFollower follower(folder.path());
  follower.refresh(Depth::kAll);
  EXPECT_EQ(follower.record().metrics.size(), 100u);

  store->discard_after(50);
  EXPECT_TRUE(follower.refresh());
  EXPECT_EQ(text_of(follower.record()), whole(folder.path()));
  EXPECT_EQ(follower.record().metrics.size(), 51u);

  // The rows come back with other values before the next look, as after a change of the program.
  for (int steps = 51; steps < 80; ++steps) evaluate(*store, steps);
  follower.refresh();
  store->discard_after(60);
  store->add_event(60, "resumed", "");
  for (int steps = 63; steps < 99; steps += 3) evaluate(*store, steps);
  EXPECT_TRUE(follower.refresh());
  EXPECT_EQ(text_of(follower.record()), whole(folder.path()));

  // The whole store is replaced by that of another run.
  store->add_event(98, "finished", "");
  follower.refresh();
  store.reset();
  std::filesystem::remove(database_file(folder.path()));
  RunStore again(folder.path());
  again.describe({}, {"one", "two"}, 1, {}, {.title = "others"});
  evaluate(again, 0);
  EXPECT_TRUE(follower.refresh());
  EXPECT_EQ(text_of(follower.record()), whole(folder.path()));
}

TEST(RunFollower, KeepsOnlyTheLastEvaluationUnlessAskedForAll) {
  const testing::TemporaryFolder folder;
  RunStore store(folder.path());
  describe(store);
  RunFollower follower(folder.path());
  EXPECT_TRUE(follower.refresh());
  EXPECT_TRUE(follower.record().metrics.empty());
  for (int steps = 0; steps < 9; ++steps) evaluate(store, steps);
  EXPECT_TRUE(follower.refresh());
  ASSERT_EQ(follower.record().metrics.size(), 1u);
  EXPECT_EQ(follower.record().metrics[0].steps, 8);
  EXPECT_EQ(follower.record().timing[0].seconds, 4);
  follower.refresh(Depth::kAll);
  EXPECT_EQ(follower.record().metrics.size(), 9u);

  const std::filesystem::path file = folder.path("a.jsonl.gz");
  write_record(read_run(folder.path()), file);
  RunFollower record(file);
  EXPECT_TRUE(record.refresh());
  EXPECT_EQ(record.record().metrics.size(), 1u);
  EXPECT_FALSE(record.refresh());
  EXPECT_TRUE(record.refresh(Depth::kAll));
  EXPECT_EQ(record.record().metrics.size(), 9u);
}

}  // namespace
}  // namespace gradus
