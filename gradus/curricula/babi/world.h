// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "gradus/core/random.h"
#include "gradus/curricula/babi/story.h"

namespace gradus::babi {

/// People, places and objects are represented by their indices in these lists.
inline constexpr std::array<std::string_view, 4> kPeople{"John", "Daniel", "Mary", "Sandra"};
inline constexpr std::array<std::string_view, 4> kPronouns{"he", "he", "she", "she"};
inline constexpr std::array<std::string_view, 6> kPlaces{"bedroom", "kitchen",  "garden",
                                                         "hallway", "bathroom", "office"};
inline constexpr std::array<std::string_view, 3> kObjects{"apple", "milk", "football"};
inline constexpr int kPersonCount = 4;
inline constexpr int kPlaceCount = 6;
inline constexpr int kObjectCount = 3;

inline constexpr std::array<std::string_view, 4> kMoveVerbs{"went to", "journeyed to",
                                                            "travelled to", "moved to"};
inline constexpr std::array<std::string_view, 3> kGetVerbs{"grabbed", "took", "got"};
inline constexpr std::array<std::string_view, 3> kDropVerbs{"dropped", "put down", "let go of"};

/// An action of a person. Fields that the kind does not use are kNobody.
struct Event {
  enum class Kind { kMove, kGet, kDrop, kGive };
  static constexpr int kNobody = -1;
  Kind kind = Kind::kMove;
  int person = kNobody;
  int place = kNobody;
  int object = kNobody;
  int recipient = kNobody;
};

/// The basic world: where everybody is and who holds what. Its initial state is the same for every
/// story and is never told. Anybody may hold any number of objects and carries them along.
class World {
 public:
  int place_of(int person) const { return places_[person]; }
  /// The holder of the object, or Event::kNobody if nobody holds it.
  int holder_of(int object) const { return holders_[object]; }

  /// Whether the event is possible. These are impossible: a move to the current place, a get of an
  /// object that does not lie at the person's place, a drop or give of an object that the person
  /// does not hold, and a give to oneself or to somebody in another place.
  bool possible(const Event& event) const;
  /// REQUIRES possible(event).
  void perform(const Event& event);

  /// Each draw proposes events, with all parts independent and uniform, and returns the first
  /// possible one. Returns nullopt after 100 impossible proposals, which is common if hardly any
  /// such event is possible.
  std::optional<Event> draw_move(Random& random) const;
  std::optional<Event> draw_get(Random& random) const;
  std::optional<Event> draw_get_or_drop(Random& random) const;
  std::optional<Event> draw_give(Random& random) const;

  /// Draws a move, retrying until a draw succeeds (a draw fails with probability 6^-100), and
  /// performs it.
  Event make_move(Random& random);

 private:
  template <typename Propose>
  std::optional<Event> draw(Propose propose) const;

  // At the start John is in the kitchen, Daniel in the hallway, Mary in the bedroom and Sandra in
  // the garden; the apple and the milk are in the kitchen, the football in the garden.
  std::array<int, kPersonCount> places_{1, 3, 0, 2};
  std::array<int, kObjectCount> object_places_{1, 1, 2};
  std::array<int, kObjectCount> holders_{Event::kNobody, Event::kNobody, Event::kNobody};
};

/// Calls `draw`, which makes one of World's draws, until it returns an event.
template <typename Draw>
Event draw_until_possible(Draw draw) {
  std::optional<Event> event;
  while (!event) event = draw();
  return *event;
}

/// Appends the event to the story in one of its wordings. Returns its line number.
int tell(const Event& event, Story& story, Random& random);

/// The latest line that told a move of each person, or 0 if there is none.
using MoveLines = std::array<int, kPersonCount>;

}  // namespace gradus::babi
