// SPDX-License-Identifier: Apache-2.0
// Whichever probes the gain draws, a teacher that prefetches batches gives the same lessons as one
// that makes each batch when it needs it.

#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/core/teacher.h"

namespace gradus {
namespace {

using nlohmann::json;

constexpr int kTasks = 7;

class RandomCurriculum final : public Curriculum {
 public:
  std::string_view name() const override { return "random"; }
  const std::vector<std::string>& tasks() const override { return tasks_; }
  std::optional<int> target() const override { return 3; }
  const DataSpec& data() const override { return data_; }
  double total_sequences() const override { return 1; }
  Batch sample(int task, int count, Split, Random& random) const override {
    Batch batch;
    batch.sequences = count;
    batch.steps = 1;
    batch.targets = {static_cast<std::uint32_t>(task), random()};
    return batch;
  }
  std::string describe(int, Random&) const override { return ""; }

 private:
  std::vector<std::string> tasks_ = {"a", "b", "c", "d", "e", "f", "g"};
  DataSpec data_;
};

// Moves weight to the rewarded task, so that each lesson depends on all earlier ones.
class MovingPolicy final : public Policy {
 public:
  std::string_view name() const override { return "moving"; }
  int size() const override { return kTasks; }
  double probability(int task) const override { return p_[task]; }
  std::vector<double> probabilities() const override { return p_; }
  int draw(double u) const override { return draw_from(p_, u); }
  void update(int task, double, double reward) override {
    p_[task] += 0.1 * (1 + reward);
    double sum = 0;
    for (const double p : p_) sum += p;
    for (double& p : p_) p /= sum;
  }
  void add_task() override { throw std::logic_error("not used here"); }
  void remove_task(int) override { throw std::logic_error("not used here"); }
  json settings() const override { return {}; }
  json state() const override { return {}; }
  void restore(const json&) override {}

 private:
  std::vector<double> p_ = std::vector<double>(kTasks, 1.0 / kTasks);
};

class UnitScale final : public RewardScale {
 public:
  Range range() const override { return {-1, 1}; }
  double scaled(double raw) const override { return raw; }
  void add(double) override {}
  std::unique_ptr<RewardScale> fresh() const override { return std::make_unique<UnitScale>(); }
  json settings() const override { return {}; }
  json state() const override { return {}; }
  void restore(const json&) override {}
};

class ReadingLearner final : public Learner {
 public:
  Measurements train(const Batch& batch, const Batch* probe, const Needs&) override {
    Measurements measured;
    measured.loss_before = batch.targets[1] * 0x1p-32;
    measured.probe_before = probe ? probe->targets[1] * 0x1p-32 : 0;
    return measured;
  }
  Evaluation evaluate(const Batch&) override { return {}; }
  Vitals vitals() override { return {}; }
  LearnerState save() const override { return {}; }
  void restore(const LearnerState&) override {}
};

class ProbingGain final : public Gain {
 public:
  explicit ProbingGain(Probe probe) : probe_(probe) {}
  std::string_view name() const override { return "probing"; }
  Needs needs() const override {
    Needs needs;
    needs.probe = probe_;
    return needs;
  }
  double progress(const std::string&, const Measurements& m) override {
    return m.loss_before - m.probe_before;
  }

 private:
  Probe probe_;
};

std::vector<double> lessons(Gain& gain, int prefetch) {
  const RandomCurriculum curriculum;
  Syllabus syllabus(curriculum.tasks(), std::make_unique<MovingPolicy>(),
                    std::make_unique<UnitScale>(), 1);
  ReadingLearner learner;
  Teacher teacher(syllabus, curriculum, learner, &gain, 4, 1, prefetch);
  std::vector<double> taught;
  for (int round = 0; round < 1000; ++round) {
    const Lesson lesson = teacher.teach();
    taught.insert(taught.end(), {static_cast<double>(lesson.task), lesson.progress});
  }
  return taught;
}

TEST(Teacher, TeachesTheSameLessonsHoweverManyBatchesAreMadeAhead) {
  for (const Probe probe :
       {Probe::kNone, Probe::kSameTask, Probe::kHeldOut, Probe::kTargetTask, Probe::kRandomTask}) {
    ProbingGain gain(probe);
    const std::vector<double> expected = lessons(gain, 0);
    for (const int prefetch : {1, 3, kDefaultPrefetch}) {
      EXPECT_EQ(lessons(gain, prefetch), expected) << prefetch << " ahead";
    }
  }
}

}  // namespace
}  // namespace gradus
