// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/babi/world.h"

#include "gradus/curricula/babi/choice.h"

namespace gradus::babi {
namespace {

constexpr int kProposals = 100;

int person(Random& random) {
  return static_cast<int>(random.below(kPersonCount));
}
int place(Random& random) {
  return static_cast<int>(random.below(kPlaceCount));
}
int object(Random& random) {
  return static_cast<int>(random.below(kObjectCount));
}

}  // namespace

bool World::possible(const Event& event) const {
  switch (event.kind) {
    case Event::Kind::kMove:
      return places_[event.person] != event.place;
    case Event::Kind::kGet:
      return holders_[event.object] == Event::kNobody &&
             object_places_[event.object] == places_[event.person];
    case Event::Kind::kDrop:
      return holders_[event.object] == event.person;
    case Event::Kind::kGive:
      return holders_[event.object] == event.person && event.recipient != event.person &&
             places_[event.recipient] == places_[event.person];
  }
  return false;
}

void World::perform(const Event& event) {
  switch (event.kind) {
    case Event::Kind::kMove:
      places_[event.person] = event.place;
      break;
    case Event::Kind::kGet:
      holders_[event.object] = event.person;
      break;
    case Event::Kind::kDrop:
      holders_[event.object] = Event::kNobody;
      object_places_[event.object] = places_[event.person];
      break;
    case Event::Kind::kGive:
      holders_[event.object] = event.recipient;
      break;
  }
}

template <typename Propose>
std::optional<Event> World::draw(Propose propose) const {
  for (int i = 0; i < kProposals; ++i) {
    const Event event = propose();
    if (possible(event)) return event;
  }
  return std::nullopt;
}

std::optional<Event> World::draw_move(Random& random) const {
  return draw([&] {
    Event event{.kind = Event::Kind::kMove, .person = person(random)};
    event.place = place(random);
    return event;
  });
}

std::optional<Event> World::draw_get(Random& random) const {
  return draw([&] {
    Event event{.kind = Event::Kind::kGet, .person = person(random)};
    event.object = object(random);
    return event;
  });
}

std::optional<Event> World::draw_get_or_drop(Random& random) const {
  return draw([&] {
    Event event{.person = person(random)};
    event.kind = random.coin() ? Event::Kind::kGet : Event::Kind::kDrop;
    event.object = object(random);
    return event;
  });
}

std::optional<Event> World::draw_give(Random& random) const {
  return draw([&] {
    Event event{.kind = Event::Kind::kGive, .person = person(random)};
    event.object = object(random);
    event.recipient = person(random);
    return event;
  });
}

Event World::make_move(Random& random) {
  const Event move = draw_until_possible([&] { return draw_move(random); });
  perform(move);
  return move;
}

int tell(const Event& event, Story& story, Random& random) {
  const std::string_view person = kPeople[event.person];
  switch (event.kind) {
    case Event::Kind::kMove:
      return story.say(
          {person, " ", one_of(kMoveVerbs, random), " the ", kPlaces[event.place], "."});
    case Event::Kind::kGet:
      return story.say(
          {person, " ", one_of(kGetVerbs, random), " the ", kObjects[event.object], "."});
    case Event::Kind::kDrop:
      return story.say(
          {person, " ", one_of(kDropVerbs, random), " the ", kObjects[event.object], "."});
    case Event::Kind::kGive:
      break;
  }
  return story.say(
      {person, " gave ", kPeople[event.recipient], " the ", kObjects[event.object], "."});
}

}  // namespace gradus::babi
