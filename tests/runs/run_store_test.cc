// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_store.h"

#include <cmath>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_reader.h"
#include "gradus/runs/settings.h"
#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::ElementsAre;

Metrics metrics_at(std::int64_t steps) {
  Metrics metrics;
  metrics.steps = steps;
  metrics.rounds = steps / 10;
  double value = 0.1 * static_cast<double>(steps);
  for (const MetricField& field : metric_fields()) metrics.*field.value = value += 1;
  metrics.complexity = Metrics::kNone;
  metrics.weight_norm = INFINITY;
  return metrics;
}

void fill(RunStore& store, std::initializer_list<std::int64_t> steps) {
  for (const std::int64_t at : steps) {
    store.add(metrics_at(at), {at, {0.25, 0.75}, {1.5, Metrics::kNone}, {}},
              {at, 0.5 * static_cast<double>(at), 2});
  }
}

// Runs of earlier versions have no description.
TEST(RunStore, DescribesTheCurriculumOfAnEarlierRunByItsSettings) {
  const testing::TemporaryFolder folder;
  RunSettings settings;
  std::get<RepeatCopySettings>(settings.curricula) = {.max_length = 1, .max_repeats = 2};
  RunStore(folder.path()).describe(setting_texts(settings), {"1,1", "1,2"}, 1);
  Database(database_file(folder.path()), Database::Access::kWrite)
      .execute("DELETE FROM run WHERE key = 'curriculum'");
  const CurriculumDescription description = read_run(folder.path()).description;
  ASSERT_EQ(description.axes.size(), 2u);
  EXPECT_EQ(description.axes[1].name, "repeats");
  EXPECT_THAT(description.axes[1].values, ElementsAre(1, 2));
  EXPECT_EQ(description.solved, 0.1);
}

TEST(RunStore, IsReadAsItWasWritten) {
  const testing::TemporaryFolder folder;
  RunSettings settings;
  settings.gain = "gpg";
  settings.learner.optimiser.learning_rate = 1e-5;
  RunStore store(folder.path());
  store.describe(setting_texts(settings), {"easy", "hard, \"very\""}, 1, {"character", ""},
                 {.title = "two levels", .axes = {{"level", {1, 2}}}});
  store.describe({}, {"other"}, {});  // no effect: the run is already described
  store.set_status("finished");
  fill(store, {0, 10});

  const RunRecord run = read_run(folder.path());
  EXPECT_EQ(run.settings.at("gain"), "gpg");
  EXPECT_EQ(run.settings.at("optimiser.learning_rate"), "1e-05");
  EXPECT_THAT(run.tasks, ElementsAre("easy", "hard, \"very\""));
  EXPECT_THAT(run.units, ElementsAre("character", ""));
  EXPECT_EQ(run.target, 1);
  EXPECT_EQ(run.description.title, "two levels");
  ASSERT_EQ(run.description.axes.size(), 1u);
  EXPECT_THAT(run.description.axes[0].values, ElementsAre(1, 2));
  EXPECT_EQ(run.status, "finished");
  ASSERT_EQ(run.metrics.size(), 2u);
  EXPECT_EQ(run.metrics[1].steps, 10);
  EXPECT_EQ(run.metrics[1].rounds, 1);
  for (const MetricField& field : metric_fields()) {
    const double expected = metrics_at(10).*field.value;
    const double stored = run.metrics[1].*field.value;
    EXPECT_TRUE(stored == expected || (std::isnan(stored) && std::isnan(expected))) << field.name;
  }
  ASSERT_EQ(run.task_metrics.size(), 2u);
  EXPECT_THAT(run.task_metrics[1].policy, ElementsAre(0.25, 0.75));
  EXPECT_EQ(run.task_metrics[1].loss[0], 1.5);
  EXPECT_TRUE(std::isnan(run.task_metrics[1].loss[1]));
  EXPECT_EQ(run.timing[1].seconds, 5);
  EXPECT_EQ(read_latest(folder.path()).metrics.at(0).steps, 10);
}

TEST(RunStore, OfAnEarlierVersionIsReadWithoutUnits) {
  const testing::TemporaryFolder folder;
  RunStore(folder.path()).describe({}, {"a", "b"}, 1);
  Database(database_file(folder.path()), Database::Access::kWrite)
      .execute("ALTER TABLE tasks DROP COLUMN unit");
  const RunRecord run = read_run(folder.path());
  EXPECT_THAT(run.tasks, ElementsAre("a", "b"));
  EXPECT_THAT(run.units, ElementsAre("", ""));
  EXPECT_EQ(run.target, 1);
}

TEST(RunStore, ForgetsWhatCameAfterACheckpoint) {
  const testing::TemporaryFolder folder;
  RunStore store(folder.path());
  store.describe({}, {"a", "b"}, {});
  fill(store, {0, 10, 20, 30});
  store.discard_after(10);
  RunRecord run = read_run(folder.path());
  EXPECT_EQ(run.metrics.back().steps, 10);
  EXPECT_EQ(run.task_metrics.back().steps, 10);
  EXPECT_EQ(run.timing.back().steps, 10);
  store.discard_after(-1);
  run = read_run(folder.path());
  EXPECT_TRUE(run.metrics.empty() && run.task_metrics.empty() && run.timing.empty());
}

// A process that was suspended while it wrote must not replace the file of its successor.
TEST(RunStore, OnASharedDiskIsNotReplacedIfTheLastCheckRefuses) {
  const testing::TemporaryFolder folder;
  RunStore store(folder.path(), "shared");
  store.describe({}, {"a", "b"}, {});
  bool taken = false;
  store.check_before_publishing([&] {
    if (taken) throw std::runtime_error("taken");
  });
  fill(store, {1});
  store.sync();
  taken = true;
  fill(store, {2});
  EXPECT_THROW(store.sync(), std::runtime_error);
  EXPECT_EQ(read_run(folder.path()).metrics.size(), 1u);
  const std::filesystem::directory_iterator files(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "a temporary file is left";
}

// Even if the process is suspended between the last check and the replacement.
TEST(RunStore, OnASharedDiskIsNotReplacedOnceASuccessorHasTheRun) {
  const testing::TemporaryFolder folder;
  const RunLock lock(folder.path());
  RunStore store(folder.path(), "shared");
  store.describe({}, {"a", "b"}, {});
  bool suspended = false;
  store.check_before_publishing([&] {
    lock.check();
    if (suspended) return;
    suspended = true;
    std::filesystem::remove(lock_file(folder.path()));  // as if locks did not reach the successor
    const RunLock successor(folder.path(), 1);
    RunStore newer(folder.path(), "shared");
    newer.describe({}, {"a", "b"}, {});
    fill(newer, {1, 2, 3});
    newer.sync();
  });
  fill(store, {1});
  EXPECT_THROW(store.sync(), RunTaken);
  EXPECT_EQ(read_run(folder.path()).metrics.size(), 3u);
}

// Publishing takes a hundredth of the time at most, so most of many quick evaluations are skipped.
TEST(RunStore, OnASharedDiskIsPublishedNowAndThenAndAsAWhole) {
  const testing::TemporaryFolder folder;
  RunStore store(folder.path(), "shared");
  store.describe({}, {"a", "b"}, {});
  EXPECT_FALSE(std::filesystem::exists(database_file(folder.path())));
  store.show();
  EXPECT_TRUE(read_run(folder.path()).metrics.empty());
  constexpr std::int64_t kEvaluations = 300;
  std::set<std::int64_t> seen;
  for (std::int64_t steps = 1; steps <= kEvaluations; ++steps) {
    fill(store, {steps});
    store.show();
    const RunRecord run = read_run(folder.path());
    EXPECT_EQ(run.metrics.size(), run.task_metrics.size());
    seen.insert(static_cast<std::int64_t>(run.metrics.size()));
  }
  EXPECT_LT(seen.size(), kEvaluations / 2);
  store.sync();
  EXPECT_EQ(read_run(folder.path()).metrics.size(), kEvaluations);
}

// On NFS, a file that is replaced while it is read may become unreadable.
TEST(ReadSnapshot, StartsOverIfTheFileWasReplaced) {
  const testing::TemporaryFolder folder;
  const auto file = database_file(folder.path());
  RunStore store(folder.path(), "shared");
  store.sync();
  int reads = 0;
  read_snapshot(file, [&](Database&) {
    if (++reads == 3) return;
    store.sync();
    throw DatabaseError("stale file handle");
  });
  EXPECT_EQ(reads, 3);
  const auto fail = [&](Database&) {
    ++reads;
    throw DatabaseError("disk I/O error");
  };
  EXPECT_THROW(read_snapshot(file, fail), DatabaseError);
  EXPECT_EQ(reads, 4);  // nobody replaced the file
}

TEST(RunStore, TellsARunThatDiedFromOneThatRuns) {
  const testing::TemporaryFolder folder;
  RunStore store(folder.path());
  store.describe({}, {"a"}, {});
  store.set_status("running");
  EXPECT_EQ(read_run(folder.path()).status, "stopped");
  const RunLock lock(folder.path());
  EXPECT_EQ(read_run(folder.path()).status, "running");
}

TEST(RunStore, HasStoppedOnlyWhenItCanBeResumed) {
  const testing::TemporaryFolder folder;
  RunStore store(folder.path());
  store.describe({}, {"a"}, {});
  auto lock = std::make_unique<RunLock>(folder.path());
  store.set_status("stopped");
  EXPECT_EQ(read_run(folder.path()).status, "running");
  lock.reset();
  EXPECT_EQ(read_run(folder.path()).status, "stopped");
  for (const std::string ended : {"finished", "failed"}) {
    store.set_status(ended);
    lock = std::make_unique<RunLock>(folder.path());
    EXPECT_EQ(read_run(folder.path()).status, ended);
    lock.reset();
  }
}

TEST(RunReader, RefusesAFolderWithoutARun) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(read_run(folder.path()), InputError);
  folder.write("run.db", "this is no database, though it has the name of one");
  EXPECT_THROW(read_run(folder.path()), DatabaseError);
}

TEST(RunReader, NamesAStoreWithoutTables) {
  const testing::TemporaryFolder folder;
  std::ofstream(database_file(folder.path())).close();
  EXPECT_THAT([&] { read_run(folder.path()); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("run.db contains no run")));
}

TEST(RunReader, RefusesMetricsOfTasksThatDoNotExist) {
  const testing::TemporaryFolder folder;
  RunStore store(folder.path());
  store.describe({}, {"only one"}, {});
  fill(store, {0});  // two tasks
  EXPECT_THAT(refusal_of([&] { read_run(folder.path()); }),
              ::testing::HasSubstr("run.db is damaged: expected task_metrics of 1 tasks"));
}

TEST(RunReader, DoesNotRunTheViewsOfADatabaseFromElsewhere) {
  const testing::TemporaryFolder folder;
  RunStore(folder.path()).describe({}, {"only one"}, {});
  Database(database_file(folder.path()), Database::Access::kWrite)
      .execute(
          "DROP TABLE timing; CREATE VIEW timing AS WITH RECURSIVE n(steps) AS (SELECT 1 UNION ALL "
          "SELECT steps + 1 FROM n) SELECT steps, 1 AS seconds, 1 AS steps_per_second FROM n");
  EXPECT_THROW(read_run(folder.path()), DatabaseError);
}

TEST(RunReader, RefusesTextThatIsNotUtf8) {
  const testing::TemporaryFolder folder;
  RunStore(folder.path()).describe({}, {"\xff"}, {});
  EXPECT_THROW(read_run(folder.path()), DatabaseError);
}

}  // namespace
}  // namespace gradus
