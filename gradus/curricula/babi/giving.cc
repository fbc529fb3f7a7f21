// SPDX-License-Identifier: Apache-2.0
// Task 5, three argument relations. Statements are gets, gives and moves, with probability 1/3
// each. There are five questions about gives, in three wordings.
//
// Variant H asks about a give that is at least the second statement since the last question, after
// 0 to 5 fillers. A filler is a statement that is told but does not happen. It does not get or give
// the object in question, and it is not a give from the giver to the recipient.
//
// Variant P asks about a give that is at least the third statement since the last question, and
// tells all these statements in random order. It has no fillers.
//
// Support: the line of the give. In both variants the text may be impossible if read literally.

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

constexpr int kQuestions = 5;
constexpr int kMostFillers = 5;

Event draw_statement(const World& world, Random& random) {
  return draw_until_possible([&] {
    switch (random.below(3)) {
      case 0:
        return world.draw_get(random);
      case 1:
        return world.draw_give(random);
      default:
        return world.draw_move(random);
    }
  });
}

bool disturbs(const Event& filler, const Event& give) {
  if (filler.kind == Event::Kind::kMove) return false;
  if (filler.object == give.object) return true;
  return filler.kind == Event::Kind::kGive && filler.person == give.person &&
         filler.recipient == give.recipient;
}

void tell_fillers(const Event& give, const World& world, Story& story, Random& random) {
  const int count = static_cast<int>(random.below(kMostFillers + 1));
  for (int i = 0; i < count; ++i) {
    Event filler = draw_statement(world, random);
    while (disturbs(filler, give)) filler = draw_statement(world, random);
    tell(filler, story, random);
  }
}

void ask_about(const Event& give, int line, std::string_view last, Story& story, Random& random) {
  const std::string_view giver = kPeople[give.person];
  const std::string_view recipient = kPeople[give.recipient];
  const std::string_view object = kObjects[give.object];
  switch (random.below(3)) {
    case 0:
      story.ask({"What did ", giver, " give to ", recipient, last, "?"}, object, {line});
      break;
    case 1:
      story.ask({"Who received the ", object, last, "?"}, recipient, {line});
      break;
    default:
      story.ask({"Who did ", giver, " give the ", object, " to", last, "?"}, recipient, {line});
  }
}

// Tells the statements in random order. Returns the line of statements.back().
int tell_shuffled(const std::vector<Event>& statements, Story& story, Random& random) {
  std::vector<std::size_t> order(statements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, random);
  int last_line = 0;
  for (const std::size_t i : order) {
    const int line = tell(statements[i], story, random);
    if (i + 1 == statements.size()) last_line = line;
  }
  return last_line;
}

Story give_then_fillers(Random& random) {
  Story story;
  World world;
  int statements = 0;  // since the last question
  for (int questions = 0; questions < kQuestions;) {
    const Event event = draw_statement(world, random);
    world.perform(event);
    const int line = tell(event, story, random);
    if (++statements < 2 || event.kind != Event::Kind::kGive) continue;
    tell_fillers(event, world, story, random);
    ask_about(event, line, " last", story, random);
    ++questions;
    statements = 0;
  }
  return story;
}

Story shuffled_blocks(Random& random) {
  Story story;
  World world;
  std::vector<Event> statements;  // since the last question
  for (int questions = 0; questions < kQuestions;) {
    const Event event = draw_statement(world, random);
    world.perform(event);
    statements.push_back(event);
    if (statements.size() < 3 || event.kind != Event::Kind::kGive) continue;
    const int line = tell_shuffled(statements, story, random);
    ask_about(event, line, "", story, random);
    ++questions;
    statements.clear();
  }
  return story;
}

}  // namespace

Story three_argument_relations(const Rules& rules, Random& random) {
  return rules.variant == Variant::kH ? give_then_fillers(random) : shuffled_blocks(random);
}

}  // namespace gradus::babi
