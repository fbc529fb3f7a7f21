// SPDX-License-Identifier: Apache-2.0
// Task 2, two supporting facts, and task 3, three supporting facts. Statements are moves
// (probability 1/3) and gets or drops (2/3). After at least three statements since the last
// question, a coin decides whether to ask now, if there is anything to ask about. A story has five
// questions.
//
// Task 2 asks `Where is the O?` about an object held by somebody who has moved. Support: the get by
// which the object is held, and the holder's latest move.
//
// Task 3 asks `Where was the O before the B?`. B is the last place where the reader knows the
// object to have been, and the answer is the place before that. Each place is supported by the get
// and the holder's latest move at the moment when the place became known. A story is kept only if
// every question has exactly three supporting lines, which means that the object was held by the
// same get in both places.

#include <variant>

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

constexpr int kQuestions = 5;
constexpr int kLeastGap = 3;
constexpr int kUnknown = -1;

struct Question {
  int object = 0;
  int answer = 0;         // a place
  int before = kUnknown;  // task 3's B
  // {get, move} of the answer and {get, move} of `before`. In task 2 the two are equal.
  std::array<int, 4> support{};
};

// A story before it is put into words. Most drafts of task 3 are discarded.
using Draft = std::vector<std::variant<Event, Question>>;

// What the reader knows about people and objects. Updated after each statement.
struct Holdings {
  MoveLines moved{};
  std::array<int, kObjectCount> got{};  // line of the object's latest get

  void note(const World&, const Event& event, int line) {
    if (event.kind == Event::Kind::kMove) moved[event.person] = line;
    if (event.kind == Event::Kind::kGet) got[event.object] = line;
  }
};

// Task 2's questions.
struct PresentPlaces : Holdings {
  std::optional<Question> ask(const World& world, Random& random) const {
    const auto askable = [&](int object) {
      const int holder = world.holder_of(object);
      return holder != Event::kNobody && moved[holder] != 0;
    };
    const std::optional<int> object = one_where(kObjectCount, askable, random);
    if (!object) return std::nullopt;
    const int holder = world.holder_of(*object);
    return Question{.object = *object,
                    .answer = world.place_of(holder),
                    .support = {got[*object], moved[holder], got[*object], moved[holder]}};
  }
  static bool accepts(const Question&) { return true; }
};

// Task 3's questions.
struct PastPlaces : Holdings {
  struct Stay {
    int place = kUnknown;
    int get_line = 0;
    int move_line = 0;
  };
  std::array<Stay, kObjectCount> last{};
  std::array<Stay, kObjectCount> before_last{};

  // The known place of an object changes only while somebody who has moved holds it. A drop leaves
  // the object where its holder was known to be, or makes its place unknown.
  void note(const World& world, const Event& event, int line) {
    Holdings::note(world, event, line);
    for (int object = 0; object < kObjectCount; ++object) {
      const int holder = world.holder_of(object);
      if (holder == Event::kNobody || moved[holder] == 0) continue;
      const int place = world.place_of(holder);
      if (place == last[object].place) continue;
      before_last[object] = last[object];
      last[object] = {place, got[object], moved[holder]};
    }
  }

  std::optional<Question> ask(const World&, Random& random) const {
    const auto askable = [&](int object) { return before_last[object].place != kUnknown; };
    const std::optional<int> object = one_where(kObjectCount, askable, random);
    if (!object) return std::nullopt;
    const Stay& now = last[*object];
    const Stay& then = before_last[*object];
    return Question{.object = *object,
                    .answer = then.place,
                    .before = now.place,
                    .support = {then.get_line, then.move_line, now.get_line, now.move_line}};
  }

  // Of the four lines only the two gets can be equal, since a person is in one place at a time.
  static bool accepts(const Question& question) {
    return question.support[0] == question.support[2];
  }
};

Event draw_statement(const World& world, Random& random) {
  return draw_until_possible([&] {
    return random.below(3) == 0 ? world.draw_move(random) : world.draw_get_or_drop(random);
  });
}

// Returns nullopt as soon as a question is not accepted, since the story would be discarded.
template <typename Notes>
std::optional<Draft> play(Random& random) {
  Draft draft;
  World world;
  Notes notes;
  int questions = 0;
  int statements = 0;  // since the last question
  while (questions < kQuestions) {
    const Event event = draw_statement(world, random);
    world.perform(event);
    draft.push_back(event);
    notes.note(world, event, static_cast<int>(draft.size()));
    if (++statements < kLeastGap || !random.coin()) continue;
    const std::optional<Question> question = notes.ask(world, random);
    if (!question) continue;
    if (!Notes::accepts(*question)) return std::nullopt;
    draft.push_back(*question);
    ++questions;
    statements = 0;
  }
  return draft;
}

Story put_into_words(const Draft& draft, Random& random) {
  Story story;
  story.lines.reserve(draft.size());
  for (const auto& line : draft) {
    if (const auto* event = std::get_if<Event>(&line)) {
      tell(*event, story, random);
      continue;
    }
    const auto& [object, answer, before, lines] = std::get<Question>(line);
    std::vector<int> support(lines.begin(), lines.end());
    if (before == kUnknown) {
      story.ask({"Where is the ", kObjects[object], "?"}, kPlaces[answer], std::move(support));
    } else {
      story.ask({"Where was the ", kObjects[object], " before the ", kPlaces[before], "?"},
                kPlaces[answer], std::move(support));
    }
  }
  return story;
}

}  // namespace

Story two_supporting_facts(const Rules&, Random& random) {
  return put_into_words(*play<PresentPlaces>(random), random);
}

std::optional<Story> try_three_supporting_facts(Random& random) {
  std::optional<Draft> draft = play<PastPlaces>(random);
  if (!draft) return std::nullopt;
  return put_into_words(*draft, random);
}

Story three_supporting_facts(const Rules&, Random& random) {
  std::optional<Story> story;
  while (!story) story = try_three_supporting_facts(random);
  return std::move(*story);
}

}  // namespace gradus::babi
