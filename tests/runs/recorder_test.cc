// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/recorder.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gradus/runs/run_follower.h"
#include "gradus/runs/run_reader.h"
#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kUnknown = Metrics::kNone;

RecordedRun two_tasks() {
  return {{{"curriculum", "letters"}, {"gain", "pg"}, {"seed", "3"}, {"lr", "0.1"}},
          {"easy", "hard"},
          "hard",
          ""};
}

Metrics at(std::int64_t steps) {
  Metrics metrics;
  metrics.steps = steps;
  return metrics;
}

RecordedEvaluation evaluation(double easy, double hard) {
  return {{"easy", "hard"}, {0.25, 0.75}, {easy, hard}, {kUnknown, 0.5}};
}

TEST(Recorder, DerivesTheMetricsThatFollowFromTheTasks) {
  const testing::TemporaryFolder folder;
  Recorder recorder(folder.path() / "run", two_tasks());
  const Metrics all = recorder.add(at(10), evaluation(1, 3));
  EXPECT_DOUBLE_EQ(all.entropy, 0.25 * std::log(4) + 0.75 * std::log(4.0 / 3));
  EXPECT_EQ(all.target_loss, 3);
  EXPECT_EQ(all.target_error, 0.5);
  EXPECT_EQ(all.mean_loss, 2);
  EXPECT_EQ(all.mean_error, 0.5);  // over the tasks that have answers
  const Metrics some = recorder.add(at(20), evaluation(kUnknown, 3));
  EXPECT_EQ(some.target_loss, 3);
  EXPECT_TRUE(std::isnan(some.mean_loss));
  Metrics given = at(30);
  given.target_loss = 7;
  EXPECT_EQ(recorder.add(given, evaluation(1, 3)).target_loss, 7);

  const RunRecord run = read_run(folder.path() / "run");
  EXPECT_EQ(run.status, "running");
  EXPECT_EQ(run.target, 1);
  EXPECT_EQ(run.description.title, "letters");
  ASSERT_EQ(run.metrics.size(), 3u);
  EXPECT_EQ(run.metrics[1].target_loss, 3);
  EXPECT_TRUE(std::isnan(run.task_metrics[1].loss[0]));
  recorder.close("failed", "out of memory");
  EXPECT_EQ(read_run(folder.path() / "run").status, "failed");
  EXPECT_EQ(last_failure(folder.path() / "run"), "out of memory");
}

class StoredRecorder : public ::testing::TestWithParam<std::string> {};

TEST_P(StoredRecorder, ContinuesFromACheckpointOfTheOtherProgram) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "run";
  RecordedRun run_of = two_tasks();
  run_of.store = GetParam();
  {
    Recorder recorder(path, run_of, 0);  // nothing to resume: starts
    for (const int steps : {10, 20, 30}) {
      recorder.add(at(steps), evaluation(1, 3));
      EXPECT_EQ(read_latest(path).metrics.back().steps, steps);  // a kill would not lose it
    }
  }
  EXPECT_EQ(read_run(path).status, "stopped");
  RunFollower follower(path);
  follower.refresh(RunFollower::Depth::kAll);
  ASSERT_EQ(follower.record().metrics.size(), 3u);
  Recorder recorder(path, run_of, 25);
  EXPECT_EQ(recorder.steps(), 20);
  recorder.add(at(30), evaluation(0, 1));
  const RunRecord run = read_run(path);
  ASSERT_EQ(run.metrics.size(), 3u);
  EXPECT_EQ(run.metrics[2].mean_loss, 0.5);
  EXPECT_GE(run.timing[2].seconds, run.timing[1].seconds);
  follower.refresh(RunFollower::Depth::kAll);
  EXPECT_EQ(follower.record().metrics[2].mean_loss, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoredRecorder, ::testing::Values("local", "shared"),
                         [](const auto& kind) { return kind.param; });

TEST(Recorder, TakesTasksThatComeAndGo) {
  const testing::TemporaryFolder folder;
  Recorder recorder(folder.path(), two_tasks());
  recorder.add(at(10), evaluation(1, 3));
  RunFollower follower(folder.path());
  follower.refresh(RunFollower::Depth::kAll);
  const Metrics metrics =
      recorder.add(at(20), {{"hard", "new"}, {0.5, 0.5}, {1, 2}, {kUnknown, kUnknown}});
  EXPECT_EQ(metrics.mean_loss, 1.5);
  follower.refresh(RunFollower::Depth::kAll);
  for (const RunRecord& run : {read_run(folder.path()), follower.record()}) {
    EXPECT_THAT(run.tasks, ElementsAre("easy", "hard", "new"));
    EXPECT_THAT(run.task_metrics.at(0).policy, ElementsAre(0.25, 0.75, 0));
    EXPECT_TRUE(std::isnan(run.task_metrics.at(0).loss[2]));
    EXPECT_THAT(run.task_metrics.at(1).policy, ElementsAre(0, 0.5, 0.5));
    EXPECT_EQ(run.task_metrics.at(1).loss[2], 2);
  }
}

TEST(Recorder, RefusesWhatItCannotRecord) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "run";
  const auto refused = [&](const RecordedRun& run, std::optional<std::int64_t> at) {
    return refusal_of([&] { Recorder(path, run, at); });
  };
  EXPECT_THAT(refused(two_tasks(), 5), HasSubstr("no run that could continue at 5 steps"));
  EXPECT_FALSE(std::filesystem::exists(path));
  {
    Recorder recorder(path, two_tasks());
    recorder.add(at(10), evaluation(1, 3));
    EXPECT_THAT(refusal_of([&] { recorder.add(at(10), evaluation(1, 3)); }),
                HasSubstr("steps is 10, expected more than the 10 of the last evaluation"));
    EXPECT_THAT(refused(two_tasks(), 0), HasSubstr("working on"));
  }
  EXPECT_THAT(refused(two_tasks(), {}), HasSubstr("already contains a run"));
  RecordedRun other = two_tasks();
  other.settings["lr"] = "0.2";
  EXPECT_THAT(refused(other, 10), HasSubstr("another lr: 0.1, expected 0.2"));
  other.settings.erase("lr");
  EXPECT_THAT(refused(other, 10), HasSubstr("another lr: 0.1, expected nothing"));
  other = two_tasks();
  other.tasks = {"a", "hard"};
  other.target = "a";
  EXPECT_THAT(refused(other, 10), HasSubstr("another target: \"hard\", expected \"a\""));
  other.target = "hrad";
  EXPECT_THAT(refused(other, 10), HasSubstr("did you mean \"hard\"?"));
  EXPECT_EQ(read_run(path).metrics.size(), 1u);
  std::ofstream(path / "config.toml") << "\n";
  EXPECT_THAT(refused(two_tasks(), 10), HasSubstr("gradus resume"));
}

// Workers of a data loader are forked while a recorder is open, and may outlive it.
TEST(Recorder, BelongsToTheProcessThatMadeIt) {
  const testing::TemporaryFolder folder;
  auto recorder = std::make_unique<Recorder>(folder.path(), two_tasks());
  int wait_for_end[2];
  ASSERT_EQ(::pipe(wait_for_end), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(wait_for_end[1]);
    char end = 0;
    const bool waited = ::read(wait_for_end[0], &end, 1) == 0;
    const std::string text = refusal_of([&] { recorder->add(at(10), evaluation(1, 3)); });
    ::_exit(waited && text.find("which opened the recorder") != std::string::npos ? 0 : 1);
  }
  recorder->add(at(5), evaluation(1, 3));
  recorder.reset();
  EXPECT_NO_THROW(Recorder(folder.path(), two_tasks(), 5));
  ::close(wait_for_end[1]);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace gradus
