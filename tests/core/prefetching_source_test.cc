// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/prefetching_source.h"

#include <atomic>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace gradus {
namespace {

// Batches that hold their task and the first number of their stream. Counts the batches made, on
// any thread. Throws for the task `bad`.
class CountingCurriculum final : public Curriculum {
 public:
  explicit CountingCurriculum(int tasks, int bad = -1) : bad_(bad), made_(tasks) {
    for (int i = 0; i < tasks; ++i) tasks_.push_back(std::to_string(i));
  }
  std::string_view name() const override { return "fake"; }
  const std::vector<std::string>& tasks() const override { return tasks_; }
  std::optional<int> target() const override { return 0; }
  const DataSpec& data() const override { return data_; }
  double total_sequences() const override { return 1; }
  Batch sample(int task, int count, Split, Random& random) const override {
    ++made_[task];
    if (task == bad_) throw std::runtime_error("task " + tasks_[task] + " is bad");
    Batch batch;
    batch.sequences = count;
    batch.targets = {static_cast<std::uint32_t>(task), random()};
    return batch;
  }
  std::string describe(int, Random&) const override { return ""; }

  int made(int task) const { return made_[task]; }
  /// Returns once `total` batches have been made or begun. Of those made ahead, all but the last
  /// are then ready.
  void wait_for(int total) const {
    const auto sum = [&] {
      int made = 0;
      for (const auto& count : made_) made += count;
      return made;
    };
    while (sum() < total) std::this_thread::yield();
  }

 private:
  int bad_;
  mutable std::vector<std::atomic<int>> made_;
  std::vector<std::string> tasks_;
  DataSpec data_;
};

BatchSource plain(const Curriculum& curriculum) {
  return {curriculum, Purpose::kTrainingBatch, Split::kTraining, 4, 7};
}

void wait_until_ready(PrefetchingSource& source, std::size_t count) {
  while (source.ready() < count) std::this_thread::yield();
}

RC_GTEST_PROP(PrefetchingSource, HandsOutWhatThePlainSourceDoes, ()) {
  const int tasks = *rc::gen::inRange(1, 9);
  const CountingCurriculum curriculum(tasks);
  BatchSource expected = plain(curriculum);
  PrefetchingSource source(plain(curriculum), *rc::gen::inRange(0, 10));
  const auto schedule = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, tasks));
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (i % 7 == 3) {
      source.expect(*rc::gen::container<std::vector<double>>(
          static_cast<std::size_t>(tasks), rc::gen::elementOf(std::vector{0.0, 0.1, 0.5})));
    }
    if (i % 11 == 5) std::this_thread::yield();
    RC_ASSERT(source.next(schedule[i]).targets == expected.next(schedule[i]).targets);
    RC_ASSERT(source.counts() == expected.counts());
  }
  const auto& tally = source.tally();
  RC_ASSERT(tally.ready + tally.made == schedule.size());
}

RC_GTEST_PROP(PrefetchingSource, GoesOnFromRestoredCounts, ()) {
  const CountingCurriculum curriculum(5);
  BatchSource expected = plain(curriculum);
  PrefetchingSource source(plain(curriculum), *rc::gen::inRange(1, 6));
  const auto schedule = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5));
  for (const int task : schedule) source.next(task);
  const auto counts =
      *rc::gen::container<std::vector<std::uint64_t>>(5, rc::gen::inRange<std::uint64_t>(0, 1000));
  source.restore(counts);
  expected.restore(counts);
  for (const int task : schedule) {
    RC_ASSERT(source.next(task).targets == expected.next(task).targets);
  }
}

TEST(PrefetchingSource, HasEveryTaskReadyWhereThereIsRoomForAll) {
  const CountingCurriculum curriculum(6);
  PrefetchingSource source(plain(curriculum), 6);
  wait_until_ready(source, 6);
  for (int task = 0; task < 6; ++task) source.next(task);
  EXPECT_EQ(source.tally().made, 0u);
  EXPECT_EQ(source.tally().ready, 6u);
}

TEST(PrefetchingSource, KeepsTheLikeliestReadyWhereThereIsNotRoomForAll) {
  const CountingCurriculum curriculum(100);
  PrefetchingSource source(plain(curriculum), 2);
  std::vector<double> probabilities(100, 0.001);
  probabilities[40] = probabilities[70] = 0.4;
  curriculum.wait_for(2);
  source.expect(probabilities);
  curriculum.wait_for(4);
  wait_until_ready(source, 2);
  source.next(70);
  source.next(40);
  EXPECT_EQ(source.tally().made, 0u);
  source.next(99);
  EXPECT_EQ(source.tally().made, 1u);
  for (const int task : {2, 3, 39, 71, 98}) EXPECT_EQ(curriculum.made(task), 0);
}

TEST(PrefetchingSource, MakesNoBatchAheadOfATaskThatIsNeverDrawn) {
  const CountingCurriculum curriculum(3);
  PrefetchingSource source(plain(curriculum), 3);
  curriculum.wait_for(3);
  source.expect({0.0, 1.0, 0.0});
  for (int i = 0; i < 50; ++i) source.next(1);
  curriculum.wait_for(3 + 50);
  EXPECT_EQ(curriculum.made(0), 1);
  EXPECT_EQ(curriculum.made(2), 1);
}

TEST(PrefetchingSource, WithoutCapacityHasNoThread) {
  const CountingCurriculum curriculum(3);
  PrefetchingSource source(plain(curriculum), 0);
  EXPECT_FALSE(source.runs_ahead());
  source.expect({1, 2, 3});
  source.next(1);
  EXPECT_EQ(source.tally().made, 1u);
  EXPECT_EQ(curriculum.made(0), 0);
}

TEST(PrefetchingSource, ThrowsInNextWhatTheCurriculumThrew) {
  const CountingCurriculum curriculum(3, 1);
  BatchSource expected = plain(curriculum);
  PrefetchingSource source(plain(curriculum), 3);
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(source.next(0).targets, expected.next(0).targets);
    EXPECT_THROW(source.next(1), std::runtime_error);
    EXPECT_THROW(expected.next(1), std::runtime_error);
    EXPECT_EQ(source.next(2).targets, expected.next(2).targets);
    EXPECT_EQ(source.counts(), expected.counts());
  }
  EXPECT_THROW(source.next(3), std::out_of_range);
  EXPECT_THROW(source.expect({1.0}), std::logic_error);
  EXPECT_THROW(source.restore({1}), std::logic_error);
}

TEST(PrefetchingSource, StopsAtOnceWhateverItIsDoing) {
  const CountingCurriculum curriculum(1000);
  for (int i = 0; i < 200; ++i) {
    PrefetchingSource source(plain(curriculum), 1000);
    if (i % 2 == 0) source.next(i);
    if (i % 3 == 0) source.expect(std::vector<double>(1000, 0.5));
  }
}

}  // namespace
}  // namespace gradus
