// SPDX-License-Identifier: Apache-2.0
// Chi-square tests of probabilities that follow exactly from the rules. Observations are
// independent: one per story, or several independent ones in a story. The critical value is four
// standard deviations of a normal distribution (3e-5 one-sided), and seeds are fixed.

#include <cmath>
#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "tests/curricula/babi_text.h"

namespace gradus::babi {
namespace {

using Counts = std::map<std::string, int>;

// Wilson and Hilferty's approximation.
double critical_value(double freedom) {
  const double spread = 2 / (9 * freedom);
  return freedom * std::pow(1 - spread + 4 * std::sqrt(spread), 3);
}

void expect_distribution(const Counts& counts, const std::map<std::string, double>& expected) {
  double total = 0;
  double weights = 0;
  for (const auto& [key, count] : counts) {
    EXPECT_TRUE(expected.contains(key)) << key;
    total += count;
  }
  for (const auto& [key, weight] : expected) weights += weight;
  double statistic = 0;
  for (const auto& [key, weight] : expected) {
    const double mean = total * weight / weights;
    ASSERT_GT(mean, 5) << key;
    const double difference = (counts.contains(key) ? counts.at(key) : 0) - mean;
    statistic += difference * difference / mean;
  }
  EXPECT_LT(statistic, critical_value(static_cast<double>(expected.size()) - 1));
}

void expect_uniform(const Counts& counts, std::size_t values) {
  EXPECT_EQ(counts.size(), values);
  std::map<std::string, double> expected;
  for (const auto& [key, count] : counts) expected[key] = 1;
  expect_distribution(counts, expected);
}

// Counts key(story) over the stories of a task. Stories without a key do not count.
Counts count(int number, int stories,
             const std::function<std::optional<std::string>(const TextStory&)>& key,
             const Rules& rules = {}) {
  Counts counts;
  for (const TextStory& story : stories_of(number, stories, rules)) {
    if (const auto found = key(story)) ++counts[*found];
  }
  return counts;
}

std::string place_free(const TextLine& line) {
  return line.text.substr(0, line.text.rfind(' '));
}

TEST(BabiDistribution, FirstDestinationsFavourThePlacesWhereNobodyStarts) {
  for (const int number : {1, 6, 11}) {
    const Counts counts =
        count(number, 8000, [](const TextStory& story) { return story[0].words.back(); });
    expect_distribution(counts, {{"bathroom", 4},
                                 {"office", 4},
                                 {"bedroom", 3},
                                 {"kitchen", 3},
                                 {"garden", 3},
                                 {"hallway", 3}});
  }
}

TEST(BabiDistribution, PeopleAndVerbsOfFirstMovesAreUniform) {
  expect_uniform(count(1, 8000, [](const TextStory& story) { return place_free(story[0]); }), 16);
}

TEST(BabiDistribution, PronounWordingsAreUniform) {
  const auto key = [](const TextStory& story) -> std::optional<std::string> {
    if (story[0].words[0] == "Mary" || story[0].words[0] == "Sandra") return std::nullopt;
    return place_free(story[1]);
  };
  expect_uniform(count(11, 8000, key), 16);
  expect_uniform(count(13, 8000, [](const TextStory& story) { return place_free(story[1]); }), 12);
}

TEST(BabiDistribution, TwoArgumentWordingsAreUniform) {
  // The direction words tell which fact comes first and how facts and question are worded.
  const auto key = [](const TextStory& story) {
    const bool names_place_first = story[2].words[2] == "the";
    const std::string& asked = story[2].words[names_place_first ? 4 : 2];
    return story[0].words[3] + story[1].words[3] + asked + (names_place_first ? "place" : "") +
           std::to_string(story[2].support[0]);
  };
  // Two axes; two directions for each of three sentences; two forms; about line 1 or 2.
  expect_uniform(count(4, 16000, key), 64);
  expect_uniform(
      count(4, 16000,
            [](const TextStory& story) { return story[0].words[1] + story[0].words.back(); }),
      30);
}

TEST(BabiDistribution, FillersAreUniformFromNoneToFive) {
  Counts counts;
  for (const TextStory& story : stories_of(5, 2000, {Variant::kH, false})) {
    for (const TextLine& line : story) {
      if (line.question) ++counts[std::to_string(line.number - line.support[0] - 1)];
    }
  }
  expect_uniform(counts, 6);
}

TEST(BabiDistribution, QuestionsAboutGivesAreWordedUniformly) {
  for (const Variant variant : {Variant::kP, Variant::kH}) {
    Counts counts;
    for (const TextStory& story : stories_of(5, 1000, {variant, false})) {
      for (const TextLine& line : story) {
        if (line.question) ++counts[line.words[0] + line.words[1]];
      }
    }
    EXPECT_EQ(counts.size(), 3u);
    expect_uniform(counts, 3);
  }
}

// The first block of variant P: the give in question is the last event, and its line is uniform.
TEST(BabiDistribution, ShuffledBlocksTellTheGiveAnywhere) {
  Counts counts;
  for (const TextStory& story : stories_of(5, 6000, {Variant::kP, false})) {
    int line = 0;
    while (!story[line].question) ++line;
    if (line == 6) ++counts[std::to_string(story[line].support[0])];
  }
  expect_uniform(counts, 6);
}

TEST(BabiDistribution, NegationRemarksHaveTheirShares) {
  const auto key = [](const TextStory& story) -> std::string {
    if (tells_move(story[0])) return "move";
    return story[0].words[2];
  };
  expect_distribution(count(9, 8000, key), {{"move", 4}, {"in", 2}, {"not", 1}, {"no", 1}});
}

TEST(BabiDistribution, IndefiniteStatementsAreOneThirdEach) {
  const auto key = [](const TextStory& story) -> std::string {
    if (tells_move(story[0])) return "move";
    return story[0].words[2];
  };
  expect_distribution(count(10, 8000, key), {{"move", 1}, {"in", 1}, {"either", 1}});
  const auto pair = [](const TextStory& story) -> std::optional<std::string> {
    if (story[0].words[2] != "either") return std::nullopt;
    return story[0].words[5] + story[0].words.back();
  };
  expect_uniform(count(10, 8000, pair), 30);
}

// A person in both pairs has twice the weight, so the second place is the answer 3 times out of 4.
TEST(BabiDistribution, ConjunctionAsksByNameNotByPerson) {
  Counts counts;
  for (const TextStory& story : stories_of(12, 2000)) {
    for (int round = 0; round < 5; ++round) {
      const TextLine& question = story[3 * round + 2];
      ++counts[question.support[0] == question.number - 1 ? "second" : "first"];
    }
  }
  expect_distribution(counts, {{"second", 3}, {"first", 1}});
}

TEST(BabiDistribution, TimesOfAFirstVisitAreToldFirstOrLast) {
  const auto key = [](const TextStory& story) -> std::string {
    return is_one_of(story[0].words[0], {"Yesterday", "This"}) ? "first" : "last";
  };
  expect_uniform(count(14, 8000, key), 2);
}

TEST(BabiDistribution, InductionSupportsFollowFromTheRedrawOfTheKind) {
  // The kind of the person asked about is uniform over the distinct kinds of the four others, of
  // which there are 1 to 4.
  const auto key = [](const TextStory& story) { return std::to_string(story[9].support.size()); };
  expect_distribution(count(16, 16000, key), {{"3", 144}, {"5", 84}, {"7", 24}, {"9", 4}});
}

// The name of a thing of task 17 ends with its shape. Plain things have one word.
TEST(BabiDistribution, PlainAndColouredThingsOfOneShapeMeetInTwelvePercent) {
  const int stories = 16000;
  int together = 0;
  for (const TextStory& story : stories_of(17, stories, {Variant::kH, false})) {
    std::set<std::string> plain;
    std::set<std::string> coloured;
    for (int i = 0; i < 2; ++i) {
      const auto& words = story[i].words;
      (words[2] == "is" ? plain : coloured).insert(words[2] == "is" ? words[1] : words[2]);
      const std::string& before = words[words.size() - 2];
      (before == "the" ? plain : coloured).insert(words.back());
    }
    bool meet = false;
    for (const std::string& shape : plain) meet = meet || coloured.contains(shape);
    together += meet ? 1 : 0;
  }
  // The published number is rounded to a percent.
  const double error = std::sqrt(0.12 * 0.88 / stories);
  EXPECT_NEAR(static_cast<double>(together) / stories, 0.12, 0.005 + 4 * error);
}

TEST(BabiDistribution, FactsOfPositionalReasoningNeverTurnBack) {
  const auto key = [](const TextStory& story) {
    std::string directions;
    for (int i = 0; i < 2; ++i) {
      for (const std::string word : {"above", "below", "left", "right"}) {
        if (story[i].text.find(" " + word + " ") != std::string::npos) directions += word;
      }
    }
    return directions;
  };
  const Counts counts = count(17, 16000, key);
  std::map<std::string, double> expected;
  for (const std::string first : {"above", "below", "left", "right"}) {
    for (const std::string second : {"above", "below", "left", "right"}) {
      const auto vertical = [](const std::string& d) { return d == "above" || d == "below"; };
      // Of the 4 x 3 pairs of directions, two lie on the axis of both facts and keep the same way;
      // four have one fact on each axis. Either kind is told as any of four texts.
      expected[first + second] = vertical(first) == vertical(second) ? 1 : 2;
    }
  }
  expect_distribution(counts, expected);
}

TEST(BabiDistribution, SizeReasoningStatesFourToNineFacts) {
  const auto key = [](const TextStory& story) {
    int statements = 0;
    while (!story[statements].question) ++statements;
    return std::to_string(statements);
  };
  expect_uniform(count(18, 8000, key), 6);
}

TEST(BabiDistribution, PathsAreUniformOverTwelve) {
  expect_uniform(count(19, 16000, [](const TextStory& story) { return story[4].answer; }), 12);
}

TEST(BabiDistribution, MotivesAreDealtOutUniformly) {
  expect_uniform(count(20, 8000, [](const TextStory& story) { return story[0].text; }), 16);
}

}  // namespace
}  // namespace gradus::babi
