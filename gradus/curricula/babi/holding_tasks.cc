// SPDX-License-Identifier: Apache-2.0
// Task 7, counting, and task 8, lists/sets. Statements are moves (probability 1/4), gets or drops
// (1/4) and gives (1/2). A person becomes known when they get, drop or give something, but not when
// they receive something. The first question comes at the second statement or later, as soon as
// somebody is known. Four more follow, two statements apart. `How many objects is P holding?` or
// `What is P holding?` asks about a known person; lists are always in the order of kObjects.
// Support: every line in which P got, dropped or gave something.

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

constexpr int kQuestions = 5;
constexpr int kGap = 2;
constexpr std::array<std::string_view, kObjectCount + 1> kNumbers{"zero", "one", "two", "three"};

Event draw_statement(const World& world, Random& random) {
  return draw_until_possible([&] {
    switch (random.below(4)) {
      case 0:
        return world.draw_move(random);
      case 1:
        return world.draw_get_or_drop(random);
      default:
        return world.draw_give(random);
    }
  });
}

std::vector<std::string> held_by(int person, const World& world) {
  std::vector<std::string> held;
  for (int object = 0; object < kObjectCount; ++object) {
    if (world.holder_of(object) == person) held.emplace_back(kObjects[object]);
  }
  return held;
}

// `ask(story, person, held, support)` appends a question.
template <typename Ask>
Story handling_and_questions(Ask ask, Random& random) {
  Story story;
  World world;
  std::array<std::vector<int>, kPersonCount> acts;
  int statements = 0;  // since the last question
  for (int questions = 0; questions < kQuestions;) {
    const Event event = draw_statement(world, random);
    world.perform(event);
    const int line = tell(event, story, random);
    if (event.kind != Event::Kind::kMove) acts[event.person].push_back(line);
    if (++statements < kGap) continue;
    const auto person = one_where(
        kPersonCount, [&](int p) { return !acts[p].empty(); }, random);
    if (!person) continue;
    ask(story, *person, held_by(*person, world), acts[*person]);
    ++questions;
    statements = 0;
  }
  return story;
}

}  // namespace

Story counting(const Rules&, Random& random) {
  return handling_and_questions(
      [](Story& story, int person, const std::vector<std::string>& held,
         const std::vector<int>& support) {
        story.ask({"How many objects is ", kPeople[person], " holding?"}, kNumbers[held.size()],
                  support);
      },
      random);
}

Story lists_sets(const Rules&, Random& random) {
  return handling_and_questions(
      [](Story& story, int person, std::vector<std::string> held, const std::vector<int>& support) {
        if (held.empty()) held.emplace_back("nothing");
        story.ask_words({"What is ", kPeople[person], " holding?"}, std::move(held), support);
      },
      random);
}

}  // namespace gradus::babi
