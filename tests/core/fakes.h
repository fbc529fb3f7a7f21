// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/core/curriculum.h"
#include "gradus/core/error.h"
#include "gradus/core/gain.h"
#include "gradus/core/learner.h"
#include "gradus/core/policy.h"
#include "gradus/core/reward_scale.h"
#include "gradus/core/state.h"

namespace gradus {

/// Draws from a list of probabilities that the test may change at any time, and records its
/// updates.
class FakePolicy final : public Policy {
 public:
  struct Update {
    int task;
    double probability;
    double reward;
    bool operator==(const Update&) const = default;
  };

  explicit FakePolicy(std::vector<double> p) : p_now(std::move(p)) {}

  std::string_view name() const override { return "fake"; }
  int size() const override { return static_cast<int>(p_now.size()); }
  double probability(int task) const override { return p_now[task]; }
  std::vector<double> probabilities() const override { return p_now; }
  int draw(double u) const override { return draw_from(p_now, u); }
  void update(int task, double probability, double reward) override {
    updates.push_back({task, probability, reward});
    ++learned;
  }
  void add_task() override { p_now.push_back(0); }
  void remove_task(int task) override { p_now.erase(p_now.begin() + task); }
  nlohmann::json settings() const override { return {{"setting", setting}}; }
  nlohmann::json state() const override { return {{"learned", learned}}; }
  void restore(const nlohmann::json& state) override { learned = read_count(state, "learned"); }

  std::vector<double> p_now;
  std::vector<Update> updates;
  std::uint64_t learned = 0;
  int setting = 1;
};

/// Divides raw rewards by ten and records them.
class FakeScale final : public RewardScale {
 public:
  Range range() const override { return {-10, 10}; }
  double scaled(double raw) const override { return raw / 10; }
  void add(double raw) override { raws.push_back(raw); }
  std::unique_ptr<RewardScale> fresh() const override { return std::make_unique<FakeScale>(); }
  nlohmann::json settings() const override { return {{"divisor", divisor}}; }
  nlohmann::json state() const override { return {{"raws", raws}, {"seen", raws.size()}}; }
  void restore(const nlohmann::json& state) override {
    raws = read_numbers(state, "raws", read_count(state, "seen"));
  }

  std::vector<double> raws;
  int divisor = 10;
};

/// Sequences of 1 to 5 steps. Tokens give the task, targets the split, and bits are random, so a
/// test can tell where a batch came from.
class FakeCurriculum final : public Curriculum {
 public:
  explicit FakeCurriculum(int tasks, std::optional<int> target = {}) : target_(target) {
    for (int i = 0; i < tasks; ++i) tasks_.push_back("task" + std::to_string(i));
    data_ = {{.tokens = tasks, .bits = 32}, {OutputKind::kSoftmax, 2}};
  }

  std::string_view name() const override { return "fake"; }
  const std::vector<std::string>& tasks() const override { return tasks_; }
  std::optional<int> target() const override { return target_; }
  const DataSpec& data() const override { return data_; }
  double total_sequences() const override { return 1; }
  Batch sample(int task, int count, Split split, Random& random) const override {
    std::vector<Sequence> sequences(count);
    for (Sequence& sequence : sequences) {
      const std::uint32_t steps = 1 + random.below(5);
      for (std::uint32_t t = 0; t < steps; ++t) {
        sequence.tokens.push_back(task);
        sequence.bits.push_back(random());
        sequence.scored.push_back(1);
        sequence.targets.push_back(split == Split::kTraining ? 0 : 1);
      }
    }
    return make_batch(sequences, data_);
  }
  std::string describe(int, Random&) const override { return ""; }

 private:
  std::optional<int> target_;
  std::vector<std::string> tasks_;
  DataSpec data_;
};

/// Records its calls and returns the test's own measurements.
class FakeLearner final : public Learner {
 public:
  struct Call {
    Batch batch;
    std::optional<Batch> probe;
    Needs needs;
  };

  Measurements train(const Batch& batch, const Batch* probe, const Needs& needs) override {
    calls.push_back({batch, probe ? std::optional(*probe) : std::nullopt, needs});
    return answer;
  }
  Evaluation evaluate(const Batch&) override { return {}; }
  Vitals vitals() override { return {}; }
  LearnerState save() const override { return {}; }
  void restore(const LearnerState&) override {}

  std::vector<Call> calls;
  Measurements answer{.loss_before = 4, .loss_after = 1, .probe_before = 8, .probe_after = 2};
};

class FakeGain final : public Gain {
 public:
  using Formula = std::function<double(const Measurements&)>;

  FakeGain(Needs needs, Formula formula) : needs_(needs), formula_(std::move(formula)) {}
  std::string_view name() const override { return "fake"; }
  Needs needs() const override { return needs_; }
  double progress(const std::string&, const Measurements& measured) override {
    return formula_(measured);
  }

 private:
  Needs needs_;
  Formula formula_;
};

}  // namespace gradus
