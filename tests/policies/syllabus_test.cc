// SPDX-License-Identifier: Apache-2.0
// The syllabus with real policies and the real reward scale.

#include "gradus/core/syllabus.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "gradus/core/error.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"
#include "tests/policies/slow_exp3s.h"
#include "tests/rewards/slow_scale.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr std::int64_t kReservoir = 6;

std::vector<std::string> names(int tasks) {
  std::vector<std::string> names;
  for (int i = 0; i < tasks; ++i) names.push_back("task" + std::to_string(i));
  return names;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const PolicyEntry& entry : policy_list()) names.push_back(entry.name);
  return names;
}

Syllabus make_syllabus(const std::string& policy, int tasks, std::uint64_t seed,
                       PolicySettings settings = {.eta = 0.2, .beta = 0.01}) {
  settings.probabilities.assign(tasks, 1.0 / tasks);
  return {names(tasks), make_policy(policy, tasks, settings),
          make_quantile_scale({.reservoir = kReservoir}, seed), seed};
}

// One action of a user. `which` and `progress` are ignored if they do not apply.
struct Step {
  enum Kind { kDraw, kReward, kDrop, kRefused } kind;
  unsigned which;
  int progress;
};

void showValue(const Step& step, std::ostream& out) {
  out << "step " << step.kind << " ticket " << step.which << " progress " << step.progress;
}

rc::Gen<std::vector<Step>> any_steps() {
  const auto kind = rc::gen::weightedElement<Step::Kind>(
      {{5, Step::kDraw}, {4, Step::kReward}, {1, Step::kDrop}, {1, Step::kRefused}});
  return rc::gen::container<std::vector<Step>>(
      rc::gen::construct<Step>(kind, rc::gen::arbitrary<unsigned>(), rc::gen::inRange(-50, 50)));
}

// The outcome of a step, for comparison.
using Outcome = std::vector<double>;

// Applies a step to a syllabus and to the tickets that its user holds, in any order.
Outcome apply(const Step& step, Syllabus& syllabus, std::vector<Ticket>& held) {
  if (step.kind == Step::kDraw) {
    held.push_back(syllabus.draw());
    return {static_cast<double>(held.back().id), static_cast<double>(held.back().task),
            held.back().probability};
  }
  if (held.empty()) return {};
  const auto chosen = held.begin() + step.which % held.size();
  const Ticket ticket = *chosen;
  const double progress = step.progress / 7.0;
  if (step.kind == Step::kRefused) {
    EXPECT_THROW(syllabus.reward(ticket, progress, 0), InputError);
    return {};
  }
  held.erase(chosen);
  if (step.kind == Step::kDrop) {
    syllabus.drop(ticket);
    return {};
  }
  const Reward reward = syllabus.reward(ticket, progress, 1 + step.which % 5);
  return {reward.raw, reward.scaled};
}

RC_GTEST_PROP(RealSyllabus, SavedAndRestoredInTheMiddleGoesOnIdentically, (std::uint64_t seed)) {
  const std::string policy = *rc::gen::elementOf(policy_names());
  const int tasks = *rc::gen::inRange(1, 20);
  const auto before = *any_steps();
  const auto after = *any_steps();
  Syllabus original = make_syllabus(policy, tasks, seed);
  std::vector<Ticket> held;
  for (const Step& step : before) apply(step, original, held);

  const std::string text = original.save().dump();
  Syllabus restored = make_syllabus(policy, tasks, seed);
  restored.reward(restored.draw(), 3, 2);
  restored.restore(json::parse(text));
  std::vector<Ticket> held_by_restored = held;
  for (const Step& step : after) {
    RC_ASSERT(apply(step, restored, held_by_restored) == apply(step, original, held));
    RC_ASSERT(restored.policy().probabilities() == original.policy().probabilities());
  }
  RC_ASSERT(restored.save().dump() == original.save().dump());
}

// The reference knows only the probability of each draw and the order of the rewards.
RC_GTEST_PROP(RealSyllabus, LateDisorderedAndDroppedTicketsKeepTheImportanceWeightsRight,
              (std::uint64_t seed)) {
  const int tasks = *rc::gen::inRange(1, 20);
  const PolicySettings settings{.eta = *rc::gen::inRange(1, 300) / 1000.0,
                                .beta = *rc::gen::inRange(-50, 50) / 1000.0,
                                .epsilon = *rc::gen::inRange(5, 100) / 100.0};
  Syllabus syllabus = make_syllabus("exp3s", tasks, seed, settings);
  SlowExp3S slow(tasks, *settings.eta, settings.beta, settings.epsilon);
  SlowScale slow_scale(0.2, 0.8, kReservoir, seed);
  std::vector<Ticket> held;
  std::vector<long double> drawn_at;  // by ticket id
  std::uint64_t settled = 0;
  for (const Step& step : *any_steps()) {
    const std::vector<Ticket> before = held;
    const Outcome outcome = apply(step, syllabus, held);
    if (step.kind == Step::kDraw) drawn_at.push_back(slow.probability(held.back().task));
    if (step.kind == Step::kReward && !before.empty()) {
      const Ticket ticket = before[step.which % before.size()];
      const double scaled = slow_scale.scale(outcome[0]);
      RC_ASSERT(std::abs(outcome[1] - scaled) < 1e-9);
      slow.update(ticket.task, drawn_at[ticket.id], scaled);
      ++settled;
    }
    for (int i = 0; i < tasks; ++i) {
      RC_ASSERT(std::abs(syllabus.policy().probability(i) - slow.probability(i)) < 1e-8L);
    }
  }
  RC_ASSERT(syllabus.rounds() == settled);
  RC_ASSERT(syllabus.outstanding() == held.size());
}

// One of eight tickets is drawn early and settled after the policy has changed.
TEST(RealSyllabus, SettlingLateDiffersFromSettlingAtThePresentProbability) {
  Syllabus late = make_syllabus("exp3s", 3, 1);
  Syllabus fresh = make_syllabus("exp3s", 3, 1);
  const Ticket early = late.ticket_for(0);
  for (int i = 0; i < 8; ++i) {
    late.reward(late.ticket_for(1), i, 1);
    fresh.reward(fresh.ticket_for(1), i, 1);
  }
  ASSERT_NE(early.probability, fresh.policy().probability(0));
  late.reward(early, 100, 1);
  fresh.reward(fresh.ticket_for(0), 100, 1);
  EXPECT_NE(late.policy().probability(0), fresh.policy().probability(0));
}

TEST(RealSyllabus, RefusesTheStateOfAnotherPolicyOrOtherSettingsSayingWhich) {
  const auto refusal = [](const Syllabus& saved, Syllabus syllabus) -> std::string {
    try {
      syllabus.restore(json::parse(saved.save().dump()));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const Syllabus saved = make_syllabus("exp3s", 3, 1);
  EXPECT_EQ(refusal(saved, make_syllabus("exp3s", 3, 1)), "accepted");
  EXPECT_THAT(refusal(saved, make_syllabus("exp3", 3, 1)),
              HasSubstr(R"(a different policy: "exp3s", expected "exp3")"));
  EXPECT_THAT(refusal(saved, make_syllabus("exp3s", 4, 1)), HasSubstr("3 tasks, expected 4"));
  EXPECT_THAT(refusal(saved, make_syllabus("exp3s", 3, 2)), HasSubstr("seed: 1, expected 2"));
  EXPECT_THAT(refusal(saved, make_syllabus("exp3s", 3, 1, {.eta = 0.3, .beta = 0.01})),
              HasSubstr(R"("eta":0.2)"));
}

struct Damage {
  const char* name;
  const char* pointer;
  const char* value;
  const char* message;
};

class RealSyllabusRefuses : public testing::TestWithParam<Damage> {};

TEST_P(RealSyllabusRefuses, ADamagedStateAndStaysAsItWas) {
  Syllabus saved = make_syllabus("exp3s", 2, 1);
  for (int i = 0; i < 10; ++i) saved.reward(saved.draw(), i, 1);
  json state = json::parse(saved.save().dump());
  state.at(json::json_pointer(GetParam().pointer)) = json::parse(GetParam().value);

  Syllabus syllabus = make_syllabus("exp3s", 2, 1);
  for (int i = 0; i < 3; ++i) syllabus.reward(syllabus.draw(), i % 2, 1);
  const json before = syllabus.save();
  try {
    syllabus.restore(state);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
  EXPECT_EQ(syllabus.save(), before);
}

INSTANTIATE_TEST_SUITE_P(
    States, RealSyllabusRefuses,
    testing::Values(Damage{"NanShare", "/policy/state/shares/1", "null", "shares[1]"},
                    Damage{"NoShares", "/policy/state/shares", "[]", "0 numbers, expected 2"},
                    Damage{"RoundZero", "/policy/state/round", "0", "round 0"},
                    Damage{"NanReward", "/scale/state/values/0", "null", "values[0]"},
                    Damage{"TooFewRewards", "/scale/state/values", "[1]", "expected 6"},
                    Damage{"SeenText", "/scale/state/seen", "\"10\"", "seen is of type string"}),
    [](const auto& info) { return info.param.name; });

// The first round has no history, so all its rewards are 0. Its raw rewards are 1, 2, 3, of which
// the quantiles are 1.4 and 2.6. So raw rewards 3, 2, 1 become 1, 0, -1 and, with eta = ln(2),
// weights 2, 1, 1/2. In round 2 alpha is 1/3, and each gives 1/6 to each other one:
// 4/3 + 1.5/6 = 19/12, 2/3 + 2.5/6 = 13/12, 1/3 + 3/6 = 10/12, of 42/12 in all.
TEST(SyllabusOfAllTasks, IsScaledByTheHistoryBeforeTheRound) {
  Syllabus syllabus(names(3), make_exp3s(3, std::log(2), 0, 0), make_quantile_scale({}, 1), 1);
  const std::vector<double> costs = {1, 2, 4};
  syllabus.reward_all(std::vector<double>{1, 4, 12}, costs);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(syllabus.probability(i), 1.0 / 3, 1e-15);
  const std::vector<Reward> rewards = syllabus.reward_all(std::vector<double>{3, 4, 4}, costs);
  const std::vector<double> expected = {19.0 / 42, 13.0 / 42, 10.0 / 42};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(rewards[i].raw, 3 - i);
    EXPECT_NEAR(rewards[i].scaled, 1 - i, 1e-12);
    EXPECT_NEAR(syllabus.probability(i), expected[i], 1e-12);
  }
  EXPECT_EQ(syllabus.rounds(), 2u);
  Syllabus restored(names(3), make_exp3s(3, std::log(2), 0, 0), make_quantile_scale({}, 1), 1);
  restored.restore(json::parse(syllabus.save().dump()));
  EXPECT_EQ(restored.save(), syllabus.save());
}

}  // namespace
}  // namespace gradus
