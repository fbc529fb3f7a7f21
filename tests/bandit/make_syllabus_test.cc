// SPDX-License-Identifier: Apache-2.0
#include "gradus/bandit/make_syllabus.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/gradus.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;

TEST(MakeSyllabus, DefaultsAreExp3SAndTheScaleOfThePaper) {
  const Syllabus syllabus = make_syllabus({"a", "b", "c"});
  EXPECT_EQ(syllabus.policy().settings(),
            (json{{"eta", "auto"}, {"beta", 0.0}, {"epsilon", 0.05}}));
  EXPECT_EQ(syllabus.scale().settings(), (json{{"low", 0.2}, {"high", 0.8}, {"reservoir", 10000}}));
  EXPECT_EQ(syllabus.probabilities(), std::vector<double>(3, 1.0 / 3));
}

// docs/algorithm.md: eta = min(2 sqrt(ln N / (N T)), 0.2 / N).
TEST(MakeSyllabus, RoundsChooseTheAutomaticEta) {
  const Syllabus syllabus = make_syllabus({"a", "b"}, {.rounds = 10'000});
  EXPECT_DOUBLE_EQ(syllabus.policy().settings().at("eta").get<double>(),
                   2 * std::sqrt(std::log(2.0) / 20'000));
}

TEST(MakeSyllabus, RefusesWrongTasksAndRounds) {
  EXPECT_EQ(refusal_of([] { make_syllabus({}); }), "tasks is empty, expected at least one name");
  EXPECT_EQ(refusal_of([] {
              make_syllabus({"a", "b", "a"});
            }),
            "task \"a\" is listed twice, expected distinct names");
  EXPECT_EQ(refusal_of([] { make_syllabus({"a"}, {.rounds = 0}); }),
            "rounds is 0, expected a whole number, 1 or more");
  EXPECT_EQ(refusal_of([] { make_syllabus({"a"}, {.policy = "uniform", .rounds = 9}); }),
            "rounds is given, but policy uniform has no automatic eta");
  EXPECT_EQ(
      refusal_of([] { make_syllabus({"a"}, {.policy_settings = {.eta = 0.5}, .rounds = 9}); }),
      "rounds is 9 and eta 0.5, expected only one of them: rounds only applies to an "
      "automatic eta");
  EXPECT_EQ(refusal_of([] { make_syllabus({"a"}, {.policy = "exp3z"}); }),
            "unknown policy \"exp3z\"; did you mean \"exp3s\"?");
}

TEST(MakeSyllabus, RefusesASettingThatThePolicyDoesNotHave) {
  const auto refusal = [](const std::string& policy, const PolicySettings& settings) {
    return refusal_of(
        [&] { make_syllabus({"a"}, {.policy = policy, .policy_settings = settings}); });
  };
  EXPECT_EQ(refusal("exp3", {.epsilon = 0.1}), "policy exp3 has no setting epsilon");
  EXPECT_EQ(refusal("exp3", {.beta = 0.1}), "policy exp3 has no setting beta");
  EXPECT_EQ(refusal("uniform", {.eta = 0.1}), "policy uniform has no setting eta");
  EXPECT_EQ(refusal("exp3s", {.probabilities = {1}}), "policy exp3s has no setting probabilities");
}

TEST(ReadSyllabusSettings, ReadsTheSettingsOfPolicyAndScaleByName) {
  const json given = {{"eta", 0.5}, {"beta", 1}, {"low", 0.1}, {"reservoir", 7}};
  const SyllabusSettings settings = read_syllabus_settings("exp3s", {}, given);
  EXPECT_EQ(settings.policy_settings.eta, 0.5);
  EXPECT_EQ(settings.policy_settings.beta, 1);
  EXPECT_EQ(settings.policy_settings.epsilon, 0.05);
  EXPECT_EQ(settings.reward_scale.low, 0.1);
  EXPECT_EQ(settings.reward_scale.high, 0.8);
  EXPECT_EQ(settings.reward_scale.reservoir, 7);
  EXPECT_FALSE(settings.rounds);
  const json automatic = {{"eta", "auto"}, {"rounds", 9}};
  EXPECT_FALSE(read_syllabus_settings("exp3", {}, automatic).policy_settings.eta);
  EXPECT_EQ(read_syllabus_settings("exp3", {}, automatic).rounds, 9u);
  const json by_task = {{"probabilities", {{"b", 0.25}, {"a", 0.75}}}};
  EXPECT_EQ(read_syllabus_settings("fixed", {"a", "b"}, by_task).policy_settings.probabilities,
            (std::vector<double>{0.75, 0.25}));
}

TEST(ReadSyllabusSettings, RefusesWhatIsUnknownOrOfTheWrongType) {
  const auto refusal = [](const std::string& policy, const json& settings) {
    return refusal_of([&] { read_syllabus_settings(policy, {"a", "b"}, settings); });
  };
  EXPECT_EQ(refusal("exp3s", {{"epsilom", 1}}),
            R"(unknown setting "epsilom"; did you mean "epsilon"?)");
  // Given by name, even a default is refused.
  EXPECT_EQ(refusal("uniform", {{"eta", "auto"}}), "policy uniform has no setting eta");
  EXPECT_EQ(refusal("exp3s", {{"eta", "big"}}),
            R"(eta is "big", expected a number from 0 to 100 or "auto")");
  EXPECT_EQ(refusal("exp3s", {{"beta", {1}}}), "beta is [1], expected a number from -100 to 100");
  EXPECT_EQ(refusal("exp3s", {{"high", "x"}}), R"(high is "x", expected a number)");
  EXPECT_EQ(refusal("exp3s", {{"reservoir", 1.5}}), "reservoir is 1.5, expected a whole number");
  EXPECT_EQ(refusal("exp3s", {{"rounds", -1}}), "rounds is -1, expected a whole number, 1 or more");
  EXPECT_EQ(refusal("fixed", {{"probabilities", {1, "x"}}}),
            R"(probabilities is [1,"x"], expected a list of numbers from 0 to 1)");
  EXPECT_EQ(refusal("fixed", {{"probabilities", {{"a", 1}}}}),
            R"(probabilities has no entry for "b", expected one for each task)");
}

void play(Syllabus& syllabus, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const Ticket ticket = syllabus.draw();
    syllabus.reward(ticket, ticket.task + 0.1 * static_cast<double>(ticket.id % 7), 1);
  }
}

TEST(ReadSyllabus, ContinuesExactlyFromTextOfTheSavedState) {
  for (const PolicyEntry& entry : policy_list()) {
    const std::string policy = entry.name;
    SyllabusSettings settings{.policy = policy, .seed = 5};
    if (policy == "fixed") settings.policy_settings.probabilities = {0.5, 0.25, 0.25};
    Syllabus syllabus = make_syllabus({"a", "b", "c"}, settings);
    syllabus.add_task("d");
    play(syllabus, 50);
    Syllabus read = read_syllabus(json::parse(syllabus.save().dump()));
    play(syllabus, 50);
    play(read, 50);
    EXPECT_EQ(read.save(), syllabus.save()) << policy;
  }
}

// Progress by two signals, of which the second likes task b a thousand times more.
std::vector<double> two_signals(const Ticket& ticket) {
  const double noise = 0.1 * static_cast<double>(ticket.id % 7);
  return {ticket.task == 0 ? 1 + noise : noise, ticket.task == 1 ? 1000 + noise : noise};
}

SyllabusSettings corral_of_two() {
  return {.policy = "corral", .policy_settings = {.eta = 0.1, .bases = "exp3s,exp3s"}, .seed = 5};
}

TEST(Signals, EachBaseLearnsOneSignalOnAScaleOfItsOwn) {
  Syllabus syllabus = make_syllabus({"a", "b"}, corral_of_two());
  const SyllabusSettings alone{.policy_settings = {.eta = 0.1}, .seed = 5};
  const auto scales = {make_quantile_scale({}, 5), make_quantile_scale({}, 5)};
  const auto first = make_policy(2, alone);
  const auto second = make_policy(2, alone);
  for (int i = 0; i < 100; ++i) {
    const Ticket ticket = syllabus.draw();
    const std::vector<double> progress = two_signals(ticket);
    const double scaled = scales.begin()[0]->scale(progress[0] / 2);
    first->update(ticket.task, ticket.probability, scaled);
    second->update(ticket.task, ticket.probability, scales.begin()[1]->scale(progress[1] / 2));
    const Reward reward = syllabus.reward(ticket, progress, 2);
    EXPECT_EQ(reward.raw, progress[0] / 2);
    EXPECT_EQ(reward.scaled, scaled);
  }
  const json bases = syllabus.policy().state().at("bases");
  EXPECT_EQ(bases, json::array({first->state(), second->state()}));
  EXPECT_GT(first->probability(0), 0.6);
  EXPECT_GT(second->probability(1), 0.6);
}

TEST(Signals, ContinueExactlyFromTextOfTheSavedState) {
  Syllabus syllabus = make_syllabus({"a", "b"}, corral_of_two());
  const auto play_both = [](Syllabus& each) {
    for (int i = 0; i < 50; ++i) {
      const Ticket ticket = each.draw();
      each.reward(ticket, two_signals(ticket), 1);
    }
  };
  play_both(syllabus);
  Syllabus read = read_syllabus(json::parse(syllabus.save().dump()));
  play_both(syllabus);
  play_both(read);
  EXPECT_EQ(read.save(), syllabus.save());
  json damaged = syllabus.save();
  damaged["scale"]["more"].push_back(damaged["scale"]["state"]);
  EXPECT_EQ(refusal_of([&] { read.restore(damaged); }),
            "saved syllabus has other signals, expected scales of 1 after the first");
}

TEST(Signals, AreRefusedUnlessThePolicyLearnsFromAsMany) {
  Syllabus plain = make_syllabus({"a", "b"});
  const Ticket ticket = plain.draw();
  EXPECT_EQ(refusal_of([&] {
              plain.reward(ticket, std::vector<double>{1, 2}, 1);
            }),
            "progress has 2 numbers, expected 1 or one for each signal of policy exp3s, 1");
  EXPECT_EQ(refusal_of([&] { plain.reward(ticket, std::vector<double>{}, 1); }),
            "progress has 0 numbers, expected 1 or one for each signal of policy exp3s, 1");
  Syllabus master = make_syllabus({"a", "b"}, corral_of_two());
  const json before = master.save();
  const Ticket drawn = master.draw();
  EXPECT_EQ(refusal_of([&] {
              master.reward(drawn, std::vector<double>{1, HUGE_VAL}, 1);
            }).find("task " + std::to_string(drawn.task)),
            0u);
  EXPECT_TRUE(master.is_outstanding(drawn));
  EXPECT_EQ(master.save().at("policy"), before.at("policy"));
  EXPECT_NO_THROW(master.reward(drawn, 1, 1)) << "one reward for all bases";
}

TEST(ReadSyllabus, RefusesADamagedState) {
  json saved = make_syllabus({"a", "b"}).save();
  saved.erase("seed");
  EXPECT_EQ(refusal_of([&] { read_syllabus(saved); }).find("saved syllabus is damaged: "), 0u);
  EXPECT_EQ(refusal_of([] { read_syllabus(json(3)); }).find("saved syllabus is damaged: "), 0u);
}

}  // namespace
}  // namespace gradus
