// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/record_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/files/gzip.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::ElementsAre;

constexpr double kNone = Metrics::kNone;

RunRecord run_with_rows(int rows, int every_measured) {
  RunRecord run;
  run.tasks = {"a", "b"};
  for (int i = 0; i < rows; ++i) {
    const double loss = i % every_measured == 0 ? 1.0 / (i + 1) : kNone;
    run.task_metrics.push_back({10L * i, {0.25, 0.75}, {loss, 0.5}, {kNone, 0}});
  }
  return run;
}

std::vector<std::int64_t> steps_of(const RunRecord& run) {
  std::vector<std::int64_t> steps;
  for (const TaskMetrics& row : run.task_metrics) steps.push_back(row.steps);
  return steps;
}

TEST(ThinTasks, KeepsTheRowsThatMeasuredEveryTask) {
  RunRecord run = run_with_rows(7, 3);
  thin_tasks(run);
  EXPECT_THAT(steps_of(run), ElementsAre(0, 30, 60));
}

TEST(ThinTasks, KeepsAllIfNoneMeasuredEveryTask) {
  RunRecord run = run_with_rows(7, 3);
  for (TaskMetrics& row : run.task_metrics) row.loss[0] = kNone;
  thin_tasks(run);
  EXPECT_EQ(run.task_metrics.size(), 7u);
}

TEST(ThinTasks, LeavesAtMostSixtyAndTheLast) {
  for (const int rows : {59, 60, 61, 118, 119, 120, 550}) {
    RunRecord run = run_with_rows(rows, 1);
    thin_tasks(run);
    EXPECT_LE(run.task_metrics.size(), 60u) << rows;
    EXPECT_GE(run.task_metrics.size(), 30u) << rows;
    EXPECT_EQ(run.task_metrics.front().steps, 0);
    EXPECT_EQ(run.task_metrics.back().steps, (rows - 1) * 10);
    const std::vector<std::int64_t> once = steps_of(run);
    thin_tasks(run);
    EXPECT_EQ(steps_of(run), once);
  }
}

class RecordFile : public ::testing::Test {
 protected:
  // The text is compressed, so that only its content is at fault.
  std::string error_of(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << gzip(text);
    return error();
  }
  std::string error() {
    try {
      read_record(file_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "x.jsonl.gz";
};

TEST_F(RecordFile, ReadsBackTheSameNumbers) {
  RunRecord run = run_with_rows(3, 1);
  run.version = "1.2.3";
  run.started = 1700000000;
  run.status = "finished";
  run.settings = {{"gain", "pg"}, {"ngram.corpus", "/home/someone/bible.txt"}};
  run.target = 1;
  run.units = {"character", ""};
  for (const std::int64_t steps : {0, 10, 20}) {
    Metrics metrics;
    metrics.steps = steps;
    metrics.rounds = steps / 2;
    metrics.target_loss = 0.1 + 1e-17 * static_cast<double>(steps);
    metrics.reward_high = std::numeric_limits<double>::infinity();
    run.metrics.push_back(metrics);
    run.timing.push_back({steps, 0.3, kNone});
  }
  write_record(run, file_);
  EXPECT_TRUE(is_record(file_));
  const RunRecord read = read_record(file_);
  EXPECT_EQ(read.folder, file_);
  EXPECT_EQ(read.version, "1.2.3");
  EXPECT_EQ(read.started, 1700000000);
  EXPECT_EQ(read.status, "finished");
  EXPECT_EQ(read.settings.at("gain"), "pg");
  EXPECT_EQ(read.settings.at("ngram.corpus"), "bible.txt");  // a path means nothing elsewhere
  EXPECT_EQ(read.tasks, run.tasks);
  EXPECT_EQ(read.target, 1);
  EXPECT_EQ(read.units, run.units);
  ASSERT_EQ(read.metrics.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.metrics[i].steps, run.metrics[i].steps);
    EXPECT_EQ(read.metrics[i].rounds, run.metrics[i].rounds);
    EXPECT_EQ(read.metrics[i].target_loss, run.metrics[i].target_loss);
    EXPECT_EQ(read.metrics[i].reward_high, run.metrics[i].reward_high);
    EXPECT_TRUE(std::isnan(read.metrics[i].mean_loss));
    EXPECT_EQ(read.timing[i].seconds, 0.3);
    EXPECT_EQ(read.task_metrics[i].policy, run.task_metrics[i].policy);
    EXPECT_EQ(read.task_metrics[i].loss, run.task_metrics[i].loss);
    EXPECT_TRUE(std::isnan(read.task_metrics[i].error[0]));
  }
}

TEST_F(RecordFile, SaysWhatIsWrong) {
  EXPECT_THAT(error(), ::testing::HasSubstr("x.jsonl.gz: cannot be read"));
  std::ofstream(file_) << "plain text";
  EXPECT_THAT(error(), ::testing::HasSubstr("is damaged, or is not a gzip file"));
  EXPECT_THAT(error_of(""), ::testing::HasSubstr("is not a record of a run"));
  EXPECT_THAT(error_of("{}\n"), ::testing::HasSubstr("is not a record of a run"));
  EXPECT_THAT(error_of(R"({"type":"run","format":2})"), ::testing::HasSubstr("a format that"));
  const std::string facts =
      R"({"type":"run","format":1,"version":"1","started":0,"status":"finished","settings":{},)"
      R"("tasks":["a"],"units":[""],"target":)";
  EXPECT_EQ(error_of(facts + "null}\n"), "");
  EXPECT_THAT(error_of(facts + "1}\n"), ::testing::HasSubstr("the target is task 1 of 1"));
  EXPECT_THAT(error_of(facts + "null}\n{}\n"), ::testing::HasSubstr("steps"));
}

}  // namespace
}  // namespace gradus
