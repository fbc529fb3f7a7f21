// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/syllabus.h"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/fakes.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kSeed = 3;

// A syllabus whose fake policy and scale the test can reach.
struct Desk {
  explicit Desk(std::vector<std::string> tasks = {"easy", "middle", "hard"},
                std::uint64_t seed = kSeed)
      : policy(new FakePolicy({0.5, 0.25, 0.25})),
        scale(new FakeScale),
        syllabus(std::move(tasks), std::unique_ptr<Policy>(policy),
                 std::unique_ptr<RewardScale>(scale), seed) {}

  FakePolicy* policy;
  FakeScale* scale;
  Syllabus syllabus;
};

TEST(Syllabus, RefusesAPolicyOverAnotherNumberOfTasks) {
  EXPECT_THROW(Desk({"one", "two"}), std::logic_error);
}

TEST(Syllabus, DrawsAtTheQuantileThatTheSeedGivesTheTicket) {
  Desk desk;
  for (std::uint64_t id = 0; id < 100; ++id) {
    const Ticket ticket = desk.syllabus.draw();
    const double u = Random(kSeed, Purpose::kPolicyDraw, id).uniform();
    EXPECT_EQ(ticket.id, id);
    EXPECT_EQ(ticket.task, desk.policy->draw(u));
    EXPECT_EQ(ticket.probability, desk.policy->probability(ticket.task));
  }
  EXPECT_EQ(desk.syllabus.outstanding(), 100u);
}

// The raw reward is 6 / 4 = 1.5, which the fake scale turns into 0.15.
TEST(Syllabus, DividesProgressByCostScalesItAndTellsThePolicy) {
  Desk desk;
  const Reward reward = desk.syllabus.reward(desk.syllabus.ticket_for(2), 6, 4);
  EXPECT_EQ(reward.raw, 1.5);
  EXPECT_EQ(reward.scaled, 0.15);
  EXPECT_THAT(desk.policy->updates, ElementsAre(FakePolicy::Update{2, 0.25, 0.15}));
  EXPECT_EQ(desk.syllabus.rounds(), 1u);
  EXPECT_EQ(desk.syllabus.outstanding(), 0u);
}

TEST(Syllabus, WeighsALateRewardByTheProbabilityOfItsDraw) {
  Desk desk;
  const Ticket early = desk.syllabus.ticket_for(0);
  desk.policy->p_now = {0.125, 0.75, 0.125};
  const Ticket late = desk.syllabus.ticket_for(0);
  desk.policy->p_now = {0.25, 0.5, 0.25};
  desk.syllabus.reward(late, 1, 1);
  desk.syllabus.reward(early, 2, 1);
  EXPECT_THAT(desk.policy->updates,
              ElementsAre(FakePolicy::Update{0, 0.125, 0.1}, FakePolicy::Update{0, 0.5, 0.2}));
}

TEST(Syllabus, ADroppedTicketTellsThePolicyNothing) {
  Desk desk;
  const Ticket dropped = desk.syllabus.draw();
  const Ticket kept = desk.syllabus.draw();
  desk.syllabus.drop(dropped);
  EXPECT_EQ(desk.syllabus.outstanding(), 1u);
  desk.syllabus.reward(kept, 1, 1);
  EXPECT_EQ(desk.policy->updates.size(), 1u);
  EXPECT_EQ(desk.syllabus.rounds(), 1u);
}

TEST(Syllabus, DrawsSeveralTasksAsSeveralDraws) {
  Desk one;
  Desk several;
  for (const Ticket& ticket : several.syllabus.draw(20)) {
    const Ticket expected = one.syllabus.draw();
    EXPECT_EQ(ticket.id, expected.id);
    EXPECT_EQ(ticket.task, expected.task);
    EXPECT_EQ(ticket.probability, expected.probability);
  }
  EXPECT_EQ(several.syllabus.save(), one.syllabus.save());
}

// Probabilities of 1/2, 1/4, 1/4: were quotas in the order of the tasks, the first half of every
// batch would be of task 0. The mean of 500 batches of 8, up to four deviations of a coin.
TEST(Syllabus, DrawsQuotasInRandomOrder) {
  Desk desk;
  constexpr int kBatches = 500;
  int in_first_half = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    const std::vector<Ticket> tickets = desk.syllabus.draw_quotas(8);
    for (int i = 0; i < 4; ++i) in_first_half += tickets[i].task == 0 ? 1 : 0;
  }
  EXPECT_NEAR(in_first_half / double{4 * kBatches}, 0.5, 4 * 0.5 / std::sqrt(4 * kBatches));
}

// Of 8 draws with probabilities 1/2, 1/4, 1/4 exactly 4, 2, 2. Of 3: 1.5 is 1 or 2, 0.75 is 0 or 1,
// and the means over many batches are exact up to four deviations of a coin.
TEST(Syllabus, DrawsQuotasThatAreExactOnAverage) {
  Desk desk;
  std::vector<int> counts(3);
  for (const Ticket& ticket : desk.syllabus.draw_quotas(8)) ++counts[ticket.task];
  EXPECT_THAT(counts, ElementsAre(4, 2, 2));
  constexpr int kBatches = 2000;
  std::vector<double> sums(3);
  for (int batch = 0; batch < kBatches; ++batch) {
    counts.assign(3, 0);
    for (const Ticket& ticket : desk.syllabus.draw_quotas(3)) {
      EXPECT_EQ(ticket.probability, desk.policy->probability(ticket.task));
      ++counts[ticket.task];
    }
    EXPECT_NEAR(counts[0], 1.5, 0.5);
    for (int i = 0; i < 3; ++i) {
      EXPECT_LE(counts[i], 2);
      sums[i] += counts[i];
    }
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(sums[i] / kBatches, 3 * desk.policy->probability(i), 4 * 0.5 / std::sqrt(kBatches));
  }
}

TEST(Syllabus, TakesTheProbabilityOfADrawMadeElsewhere) {
  Desk desk;
  desk.syllabus.set_limit(2, {.frozen = true});
  desk.syllabus.reward(desk.syllabus.ticket_for(2, 0.125), 5, 1);
  EXPECT_THAT(desk.policy->updates, ElementsAre(FakePolicy::Update{2, 0.125, 0.5}));
  for (const double bad : {0.0, -0.5, 1.5, kNan}) {
    EXPECT_THAT(refusal_of([&] { desk.syllabus.ticket_for(1, bad); }),
                HasSubstr("task 1 (middle): probability is"));
  }
  EXPECT_EQ(desk.syllabus.issued(), 1u);
}

TEST(Syllabus, SettlesABatchAsOneByOne) {
  Desk one;
  Desk batch;
  const std::vector<Ticket> tickets = batch.syllabus.draw(3);
  for (const Ticket& ticket : one.syllabus.draw(3)) {
    one.syllabus.reward(ticket, static_cast<double>(ticket.id), 2);
  }
  const std::vector<double> progress = {0, 1, 2};
  const std::vector<Reward> rewards =
      batch.syllabus.reward_batch(tickets, progress, std::vector<double>(3, 2));
  EXPECT_EQ(rewards[2].raw, 1);
  EXPECT_EQ(batch.policy->updates, one.policy->updates);
  EXPECT_EQ(batch.syllabus.save(), one.syllabus.save());
}

TEST(Syllabus, RefusesABatchAsAWhole) {
  Desk desk;
  std::vector<Ticket> tickets = desk.syllabus.draw(3);
  const json before = desk.syllabus.save();
  const std::vector<double> ones(3, 1);
  EXPECT_THAT(refusal_of([&] {
                desk.syllabus.reward_batch(tickets, std::vector<double>{1, 1, kNan}, ones);
              }),
              HasSubstr("progress is nan"));
  tickets[2] = tickets[0];
  EXPECT_EQ(refusal_of([&] { desk.syllabus.reward_batch(tickets, ones, ones); }),
            "ticket 0 is given twice");
  EXPECT_EQ(desk.syllabus.save(), before);
  EXPECT_THAT(refusal_of([&] { desk.syllabus.reward_all(ones, ones); }),
              HasSubstr("policy fake cannot learn from the rewards of all tasks at once"));
  EXPECT_EQ(desk.syllabus.save(), before);
}

struct BadReward {
  const char* name;
  double progress;
  double cost;
  const char* message;
};

class SyllabusRefusesReward : public testing::TestWithParam<BadReward> {};

TEST_P(SyllabusRefusesReward, NamingTaskAndValueAndLeavingPolicyScaleAndTicket) {
  Desk desk;
  const Ticket ticket = desk.syllabus.ticket_for(1);
  const json before = desk.syllabus.save();
  const std::string refusal =
      refusal_of([&] { desk.syllabus.reward(ticket, GetParam().progress, GetParam().cost); });
  EXPECT_THAT(refusal, AllOf(HasSubstr("task 1 (middle)"), HasSubstr(GetParam().message)));
  EXPECT_THAT(desk.policy->updates, IsEmpty());
  EXPECT_THAT(desk.scale->raws, IsEmpty());
  EXPECT_EQ(desk.syllabus.save(), before);
  EXPECT_NO_THROW(desk.syllabus.reward(ticket, 1, 1)) << "the ticket is still good";
}

INSTANTIATE_TEST_SUITE_P(
    Values, SyllabusRefusesReward,
    testing::Values(BadReward{"NanProgress", kNan, 1, "progress is nan"},
                    BadReward{"InfiniteProgress", kInfinity, 1, "progress is inf"},
                    BadReward{"MinusInfiniteProgress", -kInfinity, 1, "progress is -inf"},
                    BadReward{"NanCost", 1, kNan, "cost is nan"},
                    BadReward{"InfiniteCost", 1, kInfinity, "cost is inf"},
                    BadReward{"ZeroCost", 1, 0, "cost is 0"},
                    BadReward{"MinusZeroCost", 1, -0.0, "cost is -0"},
                    BadReward{"NegativeCost", 1, -2.5, "cost is -2.5"},
                    BadReward{"OverflowingRatio", 1e300, 1e-300, "progress / cost is inf"}),
    [](const auto& info) { return info.param.name; });

TEST(Syllabus, RefusesATicketSettledTwiceOrDropped) {
  Desk desk;
  const Ticket settled = desk.syllabus.draw();
  const Ticket dropped = desk.syllabus.draw();
  desk.syllabus.reward(settled, 1, 1);
  desk.syllabus.drop(dropped);
  for (const Ticket& ticket : {settled, dropped}) {
    const std::string again =
        "ticket " + std::to_string(ticket.id) + " has already been settled or dropped";
    EXPECT_THAT(refusal_of([&] { desk.syllabus.reward(ticket, 1, 1); }), HasSubstr(again));
    EXPECT_THAT(refusal_of([&] { desk.syllabus.drop(ticket); }), HasSubstr(again));
  }
  EXPECT_EQ(desk.policy->updates.size(), 1u);
}

TEST(Syllabus, RefusesATicketThatWasNeverIssued) {
  Desk desk;
  Ticket ticket = desk.syllabus.draw();
  ticket.id = 1;
  EXPECT_THAT(refusal_of([&] { desk.syllabus.reward(ticket, 1, 1); }),
              HasSubstr("ticket 1 was never issued"));
  EXPECT_THAT(desk.policy->updates, IsEmpty());
}

TEST(Syllabus, RefusesAForgedTicketSayingWhatWasChanged) {
  Desk desk;
  const Ticket drawn = desk.syllabus.ticket_for(0);
  Ticket task = drawn;
  task.task = 1;
  Ticket probability = drawn;
  probability.probability = 0.125;
  Ticket nan = drawn;
  nan.probability = kNan;
  EXPECT_THAT(refusal_of([&] { desk.syllabus.reward(task, 1, 1); }),
              HasSubstr("is task 1 at probability 0.5, expected task 0 at probability 0.5"));
  EXPECT_THAT(refusal_of([&] { desk.syllabus.reward(probability, 1, 1); }),
              HasSubstr("is task 0 at probability 0.125, expected task 0 at probability 0.5"));
  EXPECT_THAT(refusal_of([&] { desk.syllabus.drop(nan); }), HasSubstr("at probability nan"));
  EXPECT_EQ(desk.syllabus.outstanding(), 1u);
  EXPECT_THAT(desk.policy->updates, IsEmpty());
}

TEST(Syllabus, RefusesATicketForATaskThatIsNotOrThatThePolicyNeverDraws) {
  Desk desk;
  desk.policy->p_now = {0.5, 0.5, 0};
  EXPECT_THAT(refusal_of([&] { desk.syllabus.ticket_for(3); }),
              HasSubstr("task 3 is not one of the 3 tasks 0..2"));
  EXPECT_THAT(refusal_of([&] { desk.syllabus.ticket_for(-1); }), HasSubstr("task -1"));
  EXPECT_THAT(refusal_of([&] { desk.syllabus.probability(3); }),
              HasSubstr("task 3 is not one of the 3 tasks 0..2"));
  EXPECT_THAT(refusal_of([&] { desk.syllabus.ticket_for(2); }),
              HasSubstr("task 2 (hard) has probability 0"));
  EXPECT_EQ(desk.syllabus.outstanding(), 0u);
  EXPECT_EQ(desk.syllabus.ticket_for(0).id, 0u) << "a refusal uses no ticket up";
}

// Five tickets: one settled, one dropped, three outstanding.
json saved_state() {
  Desk desk;
  std::vector<Ticket> tickets;
  for (int i = 0; i < 5; ++i) tickets.push_back(desk.syllabus.ticket_for(i % 3));
  desk.syllabus.reward(tickets[3], 2, 1);
  desk.syllabus.drop(tickets[1]);
  return json::parse(desk.syllabus.save().dump());
}

TEST(Syllabus, RestoredFromTextHasTheSameStateAndSettlesTheSameTickets) {
  const json saved = saved_state();
  Desk desk;
  desk.syllabus.restore(saved);
  EXPECT_EQ(desk.syllabus.save(), saved);
  EXPECT_EQ(desk.syllabus.rounds(), 1u);
  EXPECT_EQ(desk.syllabus.outstanding(), 3u);
  EXPECT_EQ(desk.policy->learned, 1u);
  EXPECT_THAT(desk.scale->raws, ElementsAre(2));
  desk.syllabus.reward({.id = 4, .task = 1, .probability = 0.25}, 1, 1);
  EXPECT_THAT(refusal_of([&] {
                desk.syllabus.drop({1, 1, 0.25});
              }),
              HasSubstr("settled or dropped"));
  EXPECT_EQ(desk.syllabus.draw().id, 5u);
}

struct Damage {
  const char* name;
  void (*spoil)(json&);
  const char* message;
};

class SyllabusRefusesState : public testing::TestWithParam<Damage> {};

TEST_P(SyllabusRefusesState, SayingWhatDiffersAndStayingAsItWas) {
  json saved = saved_state();
  GetParam().spoil(saved);
  Desk desk;
  const Ticket ticket = desk.syllabus.draw();
  for (int i = 0; i < 2; ++i) desk.syllabus.reward(desk.syllabus.draw(), 1, 2);
  const json before = desk.syllabus.save();
  EXPECT_THAT(refusal_of([&] { desk.syllabus.restore(saved); }), HasSubstr(GetParam().message));
  EXPECT_EQ(desk.syllabus.save(), before);
  EXPECT_NO_THROW(desk.syllabus.reward(ticket, 1, 1));
}

INSTANTIATE_TEST_SUITE_P(
    Differs, SyllabusRefusesState,
    testing::Values(
        Damage{"Format", [](json& s) { s["format"] = "other"; },
               R"(a different format: "other", expected "gradus-syllabus")"},
        Damage{"Version", [](json& s) { s["version"] = 1; }, "a different version: 1, expected 2"},
        Damage{"TaskName", [](json& s) { s["tasks"][1] = "medium"; },
               R"(task 1 is "medium", expected "middle")"},
        Damage{"FewerTasks", [](json& s) { s["tasks"].erase(2); }, "2 tasks, expected 3"},
        Damage{"MoreTasks", [](json& s) { s["tasks"].push_back("x"); }, "4 tasks, expected 3"},
        Damage{"Seed", [](json& s) { s["seed"] = 4; }, "a different seed: 4, expected 3"},
        Damage{"Policy", [](json& s) { s["policy"]["name"] = "exp3"; },
               R"(a different policy: "exp3", expected "fake")"},
        Damage{"PolicySetting", [](json& s) { s["policy"]["settings"]["setting"] = 2; },
               R"(a different policy setting: {"setting":2}, expected {"setting":1})"},
        Damage{"ScaleSetting", [](json& s) { s["scale"]["settings"]["divisor"] = 5; },
               R"(a different reward scale: {"divisor":5}, expected)"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Damaged, SyllabusRefusesState,
    testing::Values(
        Damage{"NotAnObject", [](json& s) { s = json::array(); }, "it is of type array"},
        Damage{"Null", [](json& s) { s = nullptr; }, "it is of type null"},
        Damage{"NoFormat", [](json& s) { s.erase("format"); }, "no \"format\""},
        Damage{"NoTasks", [](json& s) { s.erase("tasks"); }, "no \"tasks\""},
        Damage{"NoSeed", [](json& s) { s.erase("seed"); }, "no \"seed\""},
        Damage{"NoIssued", [](json& s) { s.erase("issued"); }, "no \"issued\""},
        Damage{"NoRounds", [](json& s) { s.erase("rounds"); }, "no \"rounds\""},
        Damage{"NoTickets", [](json& s) { s.erase("outstanding"); }, "no \"outstanding\""},
        Damage{"NoPolicy", [](json& s) { s.erase("policy"); }, "no \"policy\""},
        Damage{"NoPolicyState", [](json& s) { s["policy"].erase("state"); }, "no \"state\""},
        Damage{"NoScale", [](json& s) { s.erase("scale"); }, "no \"scale\""},
        Damage{"NoScaleState", [](json& s) { s["scale"].erase("state"); }, "no \"state\""},
        Damage{"TasksAreNumbers",
               [](json& s) {
                 s["tasks"] = {1, 2, 3};
               },
               "must be string"},
        Damage{"NegativeIssued", [](json& s) { s["issued"] = -1; }, "issued is -1"},
        Damage{"FractionalRounds", [](json& s) { s["rounds"] = 0.5; }, "rounds is 0.5"},
        Damage{"MoreRoundsThanTickets", [](json& s) { s["rounds"] = 3; },
               "3 rewards settled and 3 tickets outstanding of 5 issued"},
        Damage{"PolicyDamaged", [](json& s) { s["policy"]["state"]["learned"] = -2; },
               "learned is -2"},
        Damage{"ScaleDamaged", [](json& s) { s["scale"]["state"]["raws"] = {nullptr}; },
               "raws[0] is of type null"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tickets, SyllabusRefusesState,
    testing::Values(
        Damage{"Null", [](json& s) { s["outstanding"] = nullptr; }, "no list of outstanding"},
        Damage{"AnObject", [](json& s) { s["outstanding"] = json::object(); }, "no list"},
        Damage{"ANumber", [](json& s) { s["outstanding"][0] = 1; },
               "expected an object with \"id\""},
        Damage{"NoId", [](json& s) { s["outstanding"][0].erase("id"); }, "no \"id\""},
        Damage{"NoTask", [](json& s) { s["outstanding"][0].erase("task"); }, "no \"task\""},
        Damage{"NoProbability", [](json& s) { s["outstanding"][0].erase("probability"); },
               "no \"probability\""},
        Damage{"NotIssued", [](json& s) { s["outstanding"][0]["id"] = 5; }, "impossible ticket"},
        Damage{"Twice", [](json& s) { s["outstanding"][1] = s["outstanding"][0]; }, "impossible"},
        Damage{"TaskTooLarge", [](json& s) { s["outstanding"][0]["task"] = 3; }, "\"task\":3"},
        Damage{"TaskNegative", [](json& s) { s["outstanding"][0]["task"] = -1; }, "task is -1"},
        Damage{"TaskFraction", [](json& s) { s["outstanding"][0]["task"] = 0.5; }, "task is 0.5"},
        Damage{"TaskBoolean", [](json& s) { s["outstanding"][0]["task"] = true; }, "boolean"},
        Damage{"ProbabilityZero", [](json& s) { s["outstanding"][0]["probability"] = 0; },
               "impossible ticket"},
        Damage{"ProbabilityAboveOne", [](json& s) { s["outstanding"][0]["probability"] = 1.5; },
               "\"probability\":1.5"},
        Damage{"ProbabilityNull", [](json& s) { s["outstanding"][0]["probability"] = nullptr; },
               "damaged"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gradus
