// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/frontier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/bandit/make_syllabus.h"
#include "gradus/curricula/babi/babi.h"
#include "gradus/curricula/repeat_copy.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

constexpr double kSolved = 0.05;
constexpr double kUnsolved = 0.5;

Syllabus uniform_over(const Curriculum& curriculum) {
  return make_syllabus(curriculum.tasks(), {.policy = "uniform"});
}

auto is(const std::vector<double>& expected) {
  return Pointwise(DoubleNear(1e-12), expected);
}

// The tasks (1,1), (1,2), (2,1), (2,2). Every task has at least 0.2 / 4 = 0.05.
TEST(Frontier, GoesFromEasyToHardAsWorkedByHand) {
  const RepeatCopy curriculum({.max_length = 2, .max_repeats = 2});
  Syllabus syllabus = uniform_over(curriculum);
  Frontier frontier(curriculum, syllabus);
  EXPECT_THAT(syllabus.probabilities(), is({0.85, 0.05, 0.05, 0.05})) << "nothing to review";

  frontier.see(0, kSolved);
  EXPECT_THAT(syllabus.probabilities(), is({0.25, 0.35, 0.35, 0.05}));
  frontier.see(2, kSolved);
  EXPECT_THAT(syllabus.probabilities(), is({0.15, 0.65, 0.15, 0.05})) << "(2,2) waits for (1,2)";
  frontier.see(1, kSolved);
  const double review = 0.05 + 0.2 / 3;
  EXPECT_THAT(syllabus.probabilities(), is({review, review, review, 0.65}));

  frontier.see(0, kUnsolved);
  EXPECT_THAT(syllabus.probabilities(), is({0.35, 0.15, 0.15, 0.35})) << "(1,1) is forgotten";
  frontier.see(0, kSolved);
  frontier.see(3, kSolved);
  EXPECT_THAT(syllabus.probabilities(), is({0.25, 0.25, 0.25, 0.25})) << "all solved";
}

TEST(Frontier, ContinuesFromItsSavedState) {
  const RepeatCopy curriculum({.max_length = 2, .max_repeats = 2});
  Syllabus first = uniform_over(curriculum);
  Frontier saved(curriculum, first);
  saved.see(0, kSolved);
  Syllabus second = uniform_over(curriculum);
  Frontier restored(curriculum, second);
  restored.restore(saved.save());
  EXPECT_EQ(second.probabilities(), first.probabilities());
  EXPECT_NE(refusal_of([&] { restored.restore({{"solved", {1}}}); }), "accepted");
}

TEST(Frontier, RefusesACurriculumWithoutOrder) {
  const auto curriculum = make_curriculum(BabiSettings{}, nullptr);
  Syllabus syllabus = uniform_over(*curriculum);
  EXPECT_EQ(
      refusal_of([&] { Frontier(*curriculum, syllabus); }),
      "gain \"frontier\" goes from easy to hard tasks as they are solved, but curriculum babi "
      "does not say which are easy and when one is solved");
}

}  // namespace
}  // namespace gradus
