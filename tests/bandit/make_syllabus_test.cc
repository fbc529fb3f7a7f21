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
            "rounds is 0, expected 1 or more");
  EXPECT_EQ(refusal_of([] { make_syllabus({"a"}, {.policy = "uniform", .rounds = 9}); }),
            "policy uniform takes no rounds");
  EXPECT_EQ(
      refusal_of([] { make_syllabus({"a"}, {.policy_settings = {.eta = 0.5}, .rounds = 9}); }),
      "rounds is 9 and eta 0.5, expected only one of them: rounds only applies to an "
      "automatic eta");
  EXPECT_EQ(refusal_of([] { make_syllabus({"a"}, {.policy = "exp3z"}); }),
            "unknown policy \"exp3z\"; did you mean \"exp3s\"?");
}

void play(Syllabus& syllabus, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const Ticket ticket = syllabus.draw();
    syllabus.reward(ticket, ticket.task + 0.1 * static_cast<double>(ticket.id % 7), 1);
  }
}

TEST(ReadSyllabus, ContinuesExactlyFromTextOfTheSavedState) {
  for (const char* policy : {"exp3s", "exp3", "uniform"}) {
    Syllabus syllabus = make_syllabus({"a", "b", "c"}, {.policy = policy, .seed = 5});
    play(syllabus, 50);
    Syllabus read = read_syllabus(json::parse(syllabus.save().dump()));
    play(syllabus, 50);
    play(read, 50);
    EXPECT_EQ(read.save(), syllabus.save()) << policy;
  }
}

TEST(ReadSyllabus, RefusesADamagedState) {
  json saved = make_syllabus({"a", "b"}).save();
  saved.erase("seed");
  EXPECT_EQ(refusal_of([&] { read_syllabus(saved); }).find("saved syllabus is damaged: "), 0u);
  EXPECT_EQ(refusal_of([] { read_syllabus(json(3)); }).find("saved syllabus is damaged: "), 0u);
}

}  // namespace
}  // namespace gradus
