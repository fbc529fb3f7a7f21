// SPDX-License-Identifier: Apache-2.0
// Adding and removing tasks while a policy learns.

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "gradus/core/syllabus.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

// Rounding error of a few divisions.
constexpr double kTolerance = 1e-12;

// These take a new task as one that was never drawn (ucb_test.cc, thompson_test.cc).
bool has_weights(const std::string& name) {
  return name != "ducb" && name != "swucb" && name != "thompson";
}

// Every policy of the list, after a few updates so that its weights differ. If it has weights,
// there is no exploration, so probabilities are weights.
std::unique_ptr<Policy> taught(const std::string& name, int tasks) {
  PolicySettings settings{
      .eta = 0.3, .epsilon = has_weights(name) ? 0 : 0.1, .bases = "exp3s,boltzmann,tsallis"};
  for (int i = 0; i < tasks; ++i) {
    settings.probabilities.push_back(2.0 * (i + 1) / (tasks * (tasks + 1)));
  }
  auto policy = make_policy(name, tasks, settings);
  for (int i = 0; i < 3 * tasks; ++i) {
    const int task = i * i % tasks;
    policy->update(task, 0.5, i % 3 == 0 ? -0.5 : 1);
  }
  return policy;
}

class ChangeTasks : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(EveryPolicy, ChangeTasks, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const PolicyEntry& entry : policy_list()) {
                             names.push_back(entry.name);
                           }
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

TEST_P(ChangeTasks, ANewTaskEntersAtTheMeanAndTheOthersKeepTheirRatios) {
  if (!has_weights(GetParam())) GTEST_SKIP() << "no weights";
  const auto policy = taught(GetParam(), 4);
  const std::vector<double> before = policy->probabilities();
  policy->add_task();
  ASSERT_EQ(policy->size(), 5);
  EXPECT_NEAR(policy->probability(4), 0.2, kTolerance);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(policy->probability(i), 0.8 * before[i], kTolerance);
  }
}

// The bases of corral keep their ratios, but the sum of the removed task's weights differs among
// them, so that their mixture does not.
TEST_P(ChangeTasks, ARemovedTaskLeavesTheRatiosOfTheOthers) {
  if (!has_weights(GetParam()) || GetParam() == "corral") GTEST_SKIP() << "no weights";
  const auto policy = taught(GetParam(), 4);
  const std::vector<double> before = policy->probabilities();
  policy->remove_task(1);
  ASSERT_EQ(policy->size(), 3);
  for (const auto& [now, then] : {std::pair{0, 0}, {1, 2}, {2, 3}}) {
    EXPECT_NEAR(policy->probability(now), before[then] / (1 - before[1]), kTolerance);
  }
}

TEST_P(ChangeTasks, ATaskThatCameAndWentLeavesThePolicyToLearnAsBefore) {
  const auto same = taught(GetParam(), 3);
  const auto changed = taught(GetParam(), 3);
  changed->add_task();
  changed->remove_task(3);
  for (Policy* policy : {same.get(), changed.get()}) policy->update(1, 0.25, 1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(changed->probability(i), same->probability(i), kTolerance);
  }
}

// A policy over the new number of tasks continues from the state.
TEST_P(ChangeTasks, TheStateIsThatOfAPolicyMadeOverTheTasks) {
  const auto policy = taught(GetParam(), 5);
  policy->remove_task(2);
  policy->add_task();
  policy->add_task();
  policy->update(5, 0.2, 1);
  const auto restored = make_policy(GetParam(), 6, read_policy_settings(policy->settings()));
  restored->restore(json::parse(policy->state().dump()));
  for (Policy* each : {policy.get(), restored.get()}) each->update(0, 0.25, -1);
  EXPECT_EQ(restored->probabilities(), policy->probabilities());
  EXPECT_EQ(restored->state(), policy->state());
}

TEST(ChangeTasks, UniformStaysUniformToTheLastBit) {
  const auto policy = make_policy("uniform", 3, {});
  for (int i = 0; i < 4; ++i) policy->add_task();
  policy->remove_task(0);
  EXPECT_THAT(policy->probabilities(), testing::Each(1.0 / 6));
}

TEST(ChangeTasks, ExplorationIsSharedAmongTheTasksThatAreThere) {
  const auto policy = make_policy("exp3s", 3, {.epsilon = 0.3});
  policy->add_task();
  EXPECT_THAT(policy->probabilities(), testing::Each(DoubleNear(0.25, 1e-15)));
}

TEST(ChangeTasks, TheTaskThatHasAllTheProbabilityOfAFixedPolicyStays) {
  const auto policy = make_policy("fixed", 2, {.probabilities = {1, 0}});
  EXPECT_THAT(refusal_of([&] { policy->remove_task(0); }), HasSubstr("task 0 has all"));
  EXPECT_THAT(policy->probabilities(), ElementsAre(1, 0));
  policy->remove_task(1);
  EXPECT_THAT(policy->probabilities(), ElementsAre(1));
}

TEST(ChangeTasks, LogarithmsFarApartStayAsTheyAre) {
  const auto policy = make_policy("exp3", 2, {.eta = 0.1});
  policy->restore({{"log_weights", {5000.0, -5000.0}}});
  policy->add_task();
  const json state = policy->state();
  EXPECT_EQ(state["log_weights"][0], 5000.0);
  EXPECT_EQ(state["log_weights"][1], -5000.0);
  EXPECT_NEAR(state["log_weights"][2].get<double>(), 5000 - std::log(2), 1e-9);
}

Syllabus make_syllabus(const std::vector<std::string>& names) {
  return {names, make_policy("exp3s", static_cast<int>(names.size()), {.eta = 0.1}),
          make_quantile_scale({}, 7), 7};
}

TEST(SyllabusTasks, ATicketSurvivesTheRemovalOfAnotherTask) {
  Syllabus syllabus = make_syllabus({"a", "b", "c"});
  const Ticket ticket = syllabus.ticket_for(2);
  syllabus.remove_task(0);
  EXPECT_THAT(syllabus.tasks(), ElementsAre("b", "c"));
  EXPECT_THAT(refusal_of([&] { syllabus.reward(ticket, std::nan(""), 1); }),
              HasSubstr("task 1 (c): progress is nan"));
  // The first scaled reward is always 0; the second reward is higher and of the same task.
  syllabus.reward(ticket, 1, 1);
  const double before = syllabus.probability(1);
  syllabus.reward(syllabus.ticket_for(1), 2, 1);
  EXPECT_GT(syllabus.probability(1), before);
}

TEST(SyllabusTasks, TheTicketsOfARemovedTaskAreVoid) {
  Syllabus syllabus = make_syllabus({"a", "b", "c"});
  const Ticket gone = syllabus.ticket_for(1);
  const Ticket kept = syllabus.ticket_for(2);
  syllabus.remove_task(1);
  const std::string message = R"(ticket 0 is void: its task "b" was removed)";
  EXPECT_EQ(refusal_of([&] { syllabus.reward(gone, 1, 1); }), message);
  EXPECT_EQ(refusal_of([&] { syllabus.drop(gone); }), message);
  EXPECT_TRUE(syllabus.is_void(gone));
  EXPECT_FALSE(syllabus.is_outstanding(gone));
  EXPECT_TRUE(syllabus.is_outstanding(kept));
  EXPECT_EQ(syllabus.outstanding(), 1u);

  Syllabus restored = make_syllabus({"a", "c"});
  restored.restore(json::parse(syllabus.save().dump()));
  EXPECT_EQ(refusal_of([&] { restored.reward(gone, 1, 1); }), message);
  EXPECT_NO_THROW(restored.reward(kept, 1, 1));
}

TEST(SyllabusTasks, TheOnlyTaskAndOneThatIsNotThereStay) {
  Syllabus syllabus = make_syllabus({"a"});
  EXPECT_EQ(refusal_of([&] { syllabus.remove_task(0); }), "the only task cannot be removed");
  EXPECT_THAT(refusal_of([&] { syllabus.remove_task(1); }), HasSubstr("task 1 is not one of"));
}

TEST(SyllabusTasks, ATakenNameIsRefusedAndNothingChanges) {
  Syllabus syllabus = make_syllabus({"a", "b"});
  const json before = syllabus.save();
  EXPECT_EQ(refusal_of([&] { syllabus.add_task("b"); }),
            R"(task "b" already exists, expected another name)");
  EXPECT_EQ(syllabus.save(), before);
}

TEST(SyllabusTasks, LimitsFollowTheirTasks) {
  Syllabus syllabus = make_syllabus({"a", "b", "c"});
  syllabus.set_limit(2, {.floor = 0.5});
  syllabus.remove_task(0);
  EXPECT_EQ(syllabus.limit(1), (TaskLimit{.floor = 0.5}));
  syllabus.add_task("d");
  EXPECT_EQ(syllabus.limit(2), TaskLimit{});
  EXPECT_THAT(syllabus.probabilities(),
              ElementsAre(DoubleNear(0.25, kTolerance), DoubleNear(0.5, kTolerance),
                          DoubleNear(0.25, kTolerance)));
}

TEST(SyllabusTasks, ARemovalThatTheLimitsForbidChangesNothing) {
  Syllabus syllabus = make_syllabus({"a", "b", "c"});
  syllabus.set_limit(0, {.frozen = true});
  syllabus.set_limit(1, {.ceiling = 0.3});
  const json before = syllabus.save();
  EXPECT_THAT(refusal_of([&] { syllabus.remove_task(2); }), HasSubstr("sum to 0.3"));
  EXPECT_EQ(syllabus.save(), before);
}

TEST(SyllabusTasks, TicketsHaveTheProbabilityUnderTheLimits) {
  Syllabus syllabus = make_syllabus({"a", "b", "c", "d"});
  syllabus.set_limit(0, {.floor = 0.7});
  syllabus.set_limit(3, {.frozen = true});
  EXPECT_THAT(refusal_of([&] { syllabus.ticket_for(3); }), HasSubstr("task 3 (d) is frozen"));
  std::vector<int> drawn(4);
  for (int i = 0; i < 4000; ++i) {
    const Ticket ticket = syllabus.draw();
    EXPECT_NEAR(ticket.probability, ticket.task == 0 ? 0.7 : 0.15, kTolerance);
    ++drawn[ticket.task];
  }
  EXPECT_EQ(drawn[3], 0);
  // Four standard deviations of a binomial with 4000 draws.
  EXPECT_NEAR(drawn[0], 2800, 4 * std::sqrt(4000 * 0.7 * 0.3));
}

TEST(SyllabusTasks, LimitsHoldWhileThePolicyLearnsAndAreSaved) {
  Syllabus syllabus = make_syllabus({"a", "b", "c"});
  syllabus.set_limit(0, {.ceiling = 0.4});
  for (int i = 0; i < 200; ++i) {
    const Ticket ticket = syllabus.draw();
    syllabus.reward(ticket, ticket.task == 0 ? 2 + i : i, 1);
    EXPECT_LE(syllabus.probability(0), 0.4);
  }
  EXPECT_GT(syllabus.policy().probability(0), 0.4) << "the policy learns below its limits";
  Syllabus restored = make_syllabus({"a", "b", "c"});
  restored.restore(json::parse(syllabus.save().dump()));
  EXPECT_EQ(restored.probabilities(), syllabus.probabilities());
  EXPECT_EQ(restored.fingerprint(), syllabus.fingerprint());
}

TEST(SyllabusTasks, AnUnknownNameOffersTheNearest) {
  const Syllabus syllabus = make_syllabus({"easy", "hard"});
  EXPECT_EQ(refusal_of([&] { syllabus.task_index("esay"); }),
            R"(unknown task "esay"; did you mean "easy"?)");
}

}  // namespace
}  // namespace gradus
