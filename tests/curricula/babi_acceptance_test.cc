// SPDX-License-Identifier: Apache-2.0
// Compares statistics of the public generator (means over 4,000 of its stories, or 2,000 if its
// variants differ) with kStories of ours, drawn with a fixed seed. A number agrees if it differs by
// at most its rounding plus four standard errors of the difference. The standard error is estimated
// from the variation between our stories, so it accounts for correlated questions within a story.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "gradus/curricula/babi/generators.h"
#include "tests/curricula/babi_text.h"

namespace gradus::babi {
namespace {

constexpr int kStories = 4000;
constexpr double kStandardErrors = 4;

using Feature = std::function<double(const TextStory&)>;

double questions(const TextStory& story) {
  double count = 0;
  for (const TextLine& line : story) count += line.question ? 1 : 0;
  return count;
}
double statements(const TextStory& story) {
  return static_cast<double>(story.size()) - questions(story);
}
// Number of answers `word` in a story.
Feature answers(const std::string& word) {
  return [word](const TextStory& story) {
    double count = 0;
    for (const TextLine& line : story) count += line.question && line.answer == word ? 1 : 0;
    return count;
  };
}
// Number of questions with `size` supporting facts in a story.
Feature supports(std::size_t size) {
  return [size](const TextStory& story) {
    double count = 0;
    for (const TextLine& line : story) count += line.question && line.support.size() == size;
    return count;
  };
}
Feature has_questions(double count) {
  return [count](const TextStory& story) { return questions(story) == count ? 1.0 : 0.0; };
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments moments(const std::vector<TextStory>& stories, const Feature& feature) {
  double sum = 0;
  double squares = 0;
  for (const TextStory& story : stories) {
    const double value = feature(story);
    sum += value;
    squares += value * value;
  }
  const double n = static_cast<double>(stories.size());
  return {sum / n, std::sqrt(std::max(0.0, squares / n - sum * sum / n / n))};
}

class Acceptance {
 public:
  Acceptance(int number, Rules rules = {}, int original_stories = 4000)
      : number_(number),
        original_(original_stories),
        stories_(stories_of(number, kStories, rules)) {
    questions_ = moments(stories_, questions).mean;
  }

  void mean(const char* name, const Feature& feature, double expected, double rounding) const {
    check(name, moments(stories_, feature), expected, rounding);
  }
  void lines(double expected_statements, double expected_questions, double rounding) const {
    mean("statements", statements, expected_statements, rounding);
    mean("questions", questions, expected_questions, rounding);
  }
  // The percentage of all answers that are `word`.
  void answer(const std::string& word, double percent, double rounding = 0.5) const {
    share(word.c_str(), answers(word), percent, rounding);
  }
  void share(const char* name, const Feature& feature, double percent, double rounding) const {
    Moments found = moments(stories_, feature);
    found.mean *= 100 / questions_;
    found.deviation *= 100 / questions_;
    check(name, found, percent, rounding);
  }

 private:
  void check(const char* name, const Moments& found, double expected, double rounding) const {
    const double error = found.deviation * std::sqrt(1.0 / kStories + 1.0 / original_);
    EXPECT_NEAR(found.mean, expected, rounding + kStandardErrors * error)
        << "task " << number_ << ", " << name;
  }

  int number_;
  double original_;
  std::vector<TextStory> stories_;
  double questions_ = 0;
};

const std::vector<std::string> kAllPlaces{"bedroom", "kitchen",  "garden",
                                          "hallway", "bathroom", "office"};

TEST(BabiAcceptance, Task1) {
  const Acceptance task(1);
  task.lines(10, 5, 0);
  for (const char* place : {"bathroom", "office"}) task.answer(place, 18);
  for (const char* place : {"bedroom", "kitchen", "garden", "hallway"}) task.answer(place, 16);
}

TEST(BabiAcceptance, Task2) {
  const Acceptance task(2);
  task.lines(31.4, 5, 0.05);
  task.answer("kitchen", 29);
  task.answer("garden", 23);
  for (const char* place : {"bedroom", "hallway", "bathroom", "office"})
    task.answer(place, 12, 1.5);
}

TEST(BabiAcceptance, Task3) {
  const Acceptance task(3);
  task.lines(32.4, 5, 0.05);
  task.answer("kitchen", 32);
  task.answer("garden", 23);
  task.share("three supports", supports(3), 100, 0);
}

TEST(BabiAcceptance, Task3KeepsTwentyThreeOfAHundredRawStories) {
  const int count = 20000;
  int kept = 0;
  Random random(1, Purpose::kSample, 0);
  for (int i = 0; i < count; ++i) kept += try_three_supporting_facts(random) ? 1 : 0;
  // The published number is rounded to half a percent; our standard error is 0.3%.
  EXPECT_NEAR(100.0 * kept / count, 23, 0.5 + 4 * 0.3);
}

TEST(BabiAcceptance, Task4) {
  for (const Variant variant : {Variant::kP, Variant::kH}) {
    const Acceptance task(4, {variant, false});
    task.lines(2, 1, 0);
    for (const std::string& place : kAllPlaces) task.answer(place, 100.0 / 6, 0);
  }
}

TEST(BabiAcceptance, Task5) {
  const Acceptance h(5, {Variant::kH, false}, 2000);
  h.lines(37.9, 5, 0.05);
  h.answer("Mary", 18.6, 0.05);
  h.answer("Daniel", 17.7, 0.05);
  h.answer("Sandra", 15.7, 0.05);
  h.answer("John", 14.9, 0.05);
  h.answer("football", 13.3, 0.05);
  h.answer("apple", 10.4, 0.05);
  h.answer("milk", 9.4, 0.05);
  const Acceptance p(5, {Variant::kP, false}, 2000);
  p.lines(29.7, 5, 0.05);
}

TEST(BabiAcceptance, Task6) {
  const Acceptance task(6);
  task.lines(10, 5, 0);
  task.answer("yes", 50, 0);
}

TEST(BabiAcceptance, Task7) {
  const Acceptance task(7);
  task.lines(10.6, 5, 0.05);
  task.answer("one", 54);
  task.answer("zero", 38);
  task.answer("two", 7.9, 0.05);
  task.answer("three", 0.1, 0.05);
}

TEST(BabiAcceptance, Task8) {
  const Acceptance task(8);
  task.lines(10.6, 5, 0.05);
  task.answer("nothing", 39);
  task.answer("football", 22);
  task.answer("milk", 16);
  task.answer("apple", 15);
  task.answer("apple,milk", 6.7, 0.05);
  task.share(
      "other lists",
      [](const TextStory& story) {
        double count = 0;
        for (const TextLine& line : story) {
          count +=
              line.answer.find(',') != std::string::npos && line.answer != "apple,milk" ? 1 : 0;
        }
        return count;
      },
      1, 0.5);
}

TEST(BabiAcceptance, Task9) {
  const Acceptance task(9);
  task.lines(10, 5, 0);
  task.answer("yes", 37.5, 0);
}

TEST(BabiAcceptance, Task10) {
  const Acceptance task(10);
  task.lines(10, 5, 0);
  task.answer("no", 80.6, 0.05);
  task.answer("yes", 14.4, 0.05);
  task.answer("maybe", 5.0, 0.05);
}

TEST(BabiAcceptance, Tasks11To14) {
  for (const int number : {11, 12, 13, 14}) {
    const Acceptance task(number);
    task.lines(number == 14 ? 12 : 10, 5, 0);
    for (const std::string& place : kAllPlaces) task.answer(place, 16.7, 0.5);
  }
}

TEST(BabiAcceptance, Task15) {
  const Acceptance task(15);
  task.lines(8, 4, 0);
  for (const char* kind : {"mouse", "sheep", "wolf", "cat"}) task.answer(kind, 25, 0);
}

TEST(BabiAcceptance, Task16) {
  const Acceptance task(16);
  task.lines(9, 1, 0);
  for (const char* colour : {"gray", "white", "yellow", "green"}) task.answer(colour, 25, 0);
  task.share("3 supports", supports(3), 55, 0.5);
  task.share("5 supports", supports(5), 35, 0.5);
  task.share("7 supports", supports(7), 9, 0.5);
  task.share("9 supports", supports(9), 2, 0.5);
}

TEST(BabiAcceptance, Task17) {
  for (const Variant variant : {Variant::kP, Variant::kH}) {
    const Acceptance task(17, {variant, false}, 2000);
    task.lines(2, 8, 0);
    task.answer("yes", 50, 0);
  }
}

TEST(BabiAcceptance, Task18) {
  const Acceptance task(18);
  task.lines(6.5, 2.55, 0.05);
  task.answer("yes", 50, 0);
  const double percents[] = {22, 31, 26, 14, 6, 1.6};
  for (int i = 0; i < 6; ++i) {
    const Feature percent = [has = has_questions(i + 1)](const TextStory& story) {
      return 100 * has(story);
    };
    task.mean("questions", percent, percents[i], i == 5 ? 0.05 : 0.5);
  }
}

TEST(BabiAcceptance, Task19) {
  const Acceptance task(19);
  task.lines(4, 1, 0);
  for (const std::string first : {"n", "s", "e", "w"}) {
    for (const std::string second : {"n", "s", "e", "w"}) {
      const std::string both = first + second;
      const bool back = both == "ns" || both == "sn" || both == "ew" || both == "we";
      task.answer(first + "," + second, back ? 0 : 100.0 / 12, 0);
    }
  }
}

TEST(BabiAcceptance, Task20) {
  const Acceptance task(20);
  task.lines(12, 12, 0);
  for (const char* why : {"hungry", "thirsty", "bored", "tired"}) task.answer(why, 100.0 / 6, 1e-6);
  task.answer("kitchen", 100.0 / 6, 1e-6);
  task.answer("garden", 100.0 / 12, 1e-6);
  task.answer("bedroom", 100.0 / 12, 1e-6);
}

}  // namespace
}  // namespace gradus::babi
