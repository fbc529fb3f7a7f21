// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

using Kind = Event::Kind;
constexpr int kJohn = 0;
constexpr int kDaniel = 1;
constexpr int kMary = 2;
constexpr int kSandra = 3;
constexpr int kKitchen = 1;
constexpr int kGarden = 2;
constexpr int kApple = 0;
constexpr int kMilk = 1;
constexpr int kFootball = 2;

Event move(int person, int place) {
  return {.kind = Kind::kMove, .person = person, .place = place};
}
Event get(int person, int object) {
  return {.kind = Kind::kGet, .person = person, .object = object};
}
Event drop(int person, int object) {
  return {.kind = Kind::kDrop, .person = person, .object = object};
}
Event give(int person, int object, int recipient) {
  return {.kind = Kind::kGive, .person = person, .object = object, .recipient = recipient};
}

// The fraction of draws that fail.
template <typename Draw>
double failures(Draw draw, int count) {
  int failed = 0;
  Random random(3, Purpose::kSample, 0);
  for (int i = 0; i < count; ++i) failed += draw(random) ? 0 : 1;
  return static_cast<double>(failed) / count;
}

TEST(BabiWorld, StartsAsNobodyIsTold) {
  const World world;
  const std::map<std::string_view, std::string_view> homes{
      {"John", "kitchen"}, {"Mary", "bedroom"}, {"Sandra", "garden"}, {"Daniel", "hallway"}};
  for (int p = 0; p < kPersonCount; ++p) {
    EXPECT_EQ(kPlaces[world.place_of(p)], homes.at(kPeople[p]));
    for (int o = 0; o < kObjectCount; ++o) {
      const bool there = (p == kJohn && o != kFootball) || (p == kSandra && o == kFootball);
      EXPECT_EQ(world.possible(get(p, o)), there) << kPeople[p] << " " << kObjects[o];
      EXPECT_FALSE(world.possible(drop(p, o)));
      EXPECT_EQ(world.holder_of(o), Event::kNobody);
    }
  }
}

TEST(BabiWorld, HeldObjectsTravelAndChangeHands) {
  World world;
  world.perform(get(kJohn, kApple));
  world.perform(get(kJohn, kMilk));
  EXPECT_FALSE(world.possible(get(kJohn, kApple)));
  EXPECT_FALSE(world.possible(give(kJohn, kApple, kSandra)));
  world.perform(move(kJohn, kGarden));
  EXPECT_FALSE(world.possible(move(kJohn, kGarden)));
  EXPECT_TRUE(world.possible(give(kJohn, kApple, kSandra)));
  EXPECT_FALSE(world.possible(give(kJohn, kApple, kJohn)));
  EXPECT_FALSE(world.possible(give(kSandra, kApple, kJohn)));
  world.perform(give(kJohn, kApple, kSandra));
  EXPECT_EQ(world.holder_of(kApple), kSandra);
  EXPECT_EQ(world.holder_of(kMilk), kJohn);
  world.perform(drop(kJohn, kMilk));
  EXPECT_TRUE(world.possible(get(kSandra, kMilk)));
  EXPECT_FALSE(world.possible(get(kMary, kMilk)));
}

TEST(BabiWorld, ADrawFailsAfterAHundredImpossibleProposals) {
  World world;
  EXPECT_EQ(failures([&](Random& r) { return world.draw_give(r); }, 1000), 1.0);
  // One of 4 x 3 x 4 gives is possible: a draw fails with probability (47/48)^100 = 12.2%.
  world.perform(get(kJohn, kApple));
  world.perform(move(kMary, kKitchen));
  const int count = 40000;
  const double expected = std::pow(47.0 / 48.0, 100);
  const double error = std::sqrt(expected * (1 - expected) / count);
  EXPECT_NEAR(failures([&](Random& r) { return world.draw_give(r); }, count), expected, 4 * error);
  // Milk and football are held and one person is beside the apple: one of 4 x 3 gets is possible.
  World far;
  far.perform(get(kJohn, kMilk));
  far.perform(get(kSandra, kFootball));
  const int many = 400000;
  const double rare = std::pow(11.0 / 12.0, 100);
  EXPECT_NEAR(failures([&](Random& r) { return far.draw_get(r); }, many), rare,
              4 * std::sqrt(rare / many));
  // A get of the apple, or a drop of milk or football: three of 4 x 2 x 3 proposals are possible.
  const double both = std::pow(21.0 / 24.0, 100);
  EXPECT_NEAR(failures([&](Random& r) { return far.draw_get_or_drop(r); }, many), both,
              4 * std::sqrt(both / many) + 1.0 / many);
}

TEST(BabiWorld, DrawsArePossibleAndUniform) {
  World world;
  std::map<std::pair<int, int>, int> moves;
  std::map<std::pair<int, int>, int> gets;
  const int count = 20000;
  Random random(5, Purpose::kSample, 0);
  for (int i = 0; i < count; ++i) {
    const Event moved = *world.draw_move(random);
    ASSERT_TRUE(world.possible(moved));
    ++moves[{moved.person, moved.place}];
    const Event got = *world.draw_get(random);
    ASSERT_TRUE(world.possible(got));
    ++gets[{got.person, got.object}];
  }
  EXPECT_EQ(moves.size(), 20u);
  for (const auto& [what, n] : moves) EXPECT_NEAR(n, count / 20.0, 4 * std::sqrt(count / 20.0));
  EXPECT_EQ(gets.size(), 3u);
  for (const auto& [what, n] : gets) EXPECT_NEAR(n, count / 3.0, 4 * std::sqrt(count * 2 / 9.0));
}

TEST(BabiWorld, TellsEveryWording) {
  std::map<std::string, int> wordings;
  Random random(6, Purpose::kSample, 0);
  for (int i = 0; i < 600; ++i) {
    Story story;
    tell(move(kDaniel, kKitchen), story, random);
    tell(get(kMary, kMilk), story, random);
    tell(drop(kMary, kMilk), story, random);
    tell(give(kMary, kMilk, kJohn), story, random);
    for (const Line& line : story.lines) ++wordings[line.text];
  }
  const std::map<std::string, int> expected{{"Daniel went to the kitchen.", 150},
                                            {"Daniel journeyed to the kitchen.", 150},
                                            {"Daniel travelled to the kitchen.", 150},
                                            {"Daniel moved to the kitchen.", 150},
                                            {"Mary grabbed the milk.", 200},
                                            {"Mary took the milk.", 200},
                                            {"Mary got the milk.", 200},
                                            {"Mary dropped the milk.", 200},
                                            {"Mary put down the milk.", 200},
                                            {"Mary let go of the milk.", 200},
                                            {"Mary gave John the milk.", 600}};
  ASSERT_EQ(wordings.size(), expected.size());
  for (const auto& [text, n] : expected) EXPECT_NEAR(wordings[text], n, 60) << text;
}

}  // namespace
}  // namespace gradus::babi
