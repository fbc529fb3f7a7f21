// SPDX-License-Identifier: Apache-2.0
// Task 14, time reasoning. Twelve visits, not told in order of time, and five questions, on lines
// 5, 8, 11, 14 and 17. At each time a person makes at most one visit, and never visits a place
// twice. Two of the first four lines are visits of the same person, so that the first question can
// be asked. `Where was P before the y?` asks about two visits so far of one person that are
// consecutive in time. Support: the two visits.

#include <algorithm>

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

constexpr std::array<std::string_view, 4> kTimes{"yesterday", "this morning", "this afternoon",
                                                 "this evening"};
constexpr int kTimeCount = 4;
constexpr int kLines = 17;
constexpr int kSownLines = 4;
constexpr int kNowhere = -1;

struct Visit {
  int person = 0;
  int time = 0;
  int place = kNowhere;
};

// One person's visits: place and line by time.
struct Diary {
  std::array<int, kTimeCount> places{kNowhere, kNowhere, kNowhere, kNowhere};
  std::array<int, kTimeCount> lines{};

  bool free(int time) const { return places[time] == kNowhere; }
  bool visited(int place) const { return std::ranges::find(places, place) != places.end(); }
  int visits() const { return kTimeCount - static_cast<int>(std::ranges::count(places, kNowhere)); }
};

class Diaries {
 public:
  void enter(const Visit& visit, int line) {
    diaries_[visit.person].places[visit.time] = visit.place;
    diaries_[visit.person].lines[visit.time] = line;
  }

  Visit draw(Random& random) const {
    while (true) {
      Visit visit{.person = static_cast<int>(random.below(kPersonCount))};
      visit.time = static_cast<int>(random.below(kTimeCount));
      visit.place = static_cast<int>(random.below(kPlaceCount));
      const Diary& diary = diaries_[visit.person];
      if (diary.free(visit.time) && !diary.visited(visit.place)) return visit;
    }
  }

  void ask(Story& story, Random& random) const {
    const int person = *one_where(
        kPersonCount, [&](int p) { return diaries_[p].visits() >= 2; }, random);
    const Diary& diary = diaries_[person];
    std::vector<int> times;
    for (int time = 0; time < kTimeCount; ++time) {
      if (!diary.free(time)) times.push_back(time);
    }
    const std::uint32_t pair = random.below(static_cast<std::uint32_t>(times.size() - 1));
    const int earlier = times[pair];
    const int later = times[pair + 1];
    story.ask({"Where was ", kPeople[person], " before the ", kPlaces[diary.places[later]], "?"},
              kPlaces[diary.places[earlier]], {diary.lines[earlier], diary.lines[later]});
  }

 private:
  std::array<Diary, kPersonCount> diaries_;
};

void tell_visit(const Visit& visit, Story& story, Random& random) {
  const std::string_view person = kPeople[visit.person];
  const std::string_view verb = one_of(kMoveVerbs, random);
  const std::string_view place = kPlaces[visit.place];
  const std::string_view time = kTimes[visit.time];
  if (random.coin()) {
    story.say({time, " ", person, " ", verb, " the ", place, "."});
  } else {
    story.say({person, " ", verb, " the ", place, " ", time, "."});
  }
}

}  // namespace

Story time_reasoning(const Rules&, Random& random) {
  std::array<Visit, kSownLines + 1> sown;  // by line number
  Diaries diaries;
  const auto [i, j] = two_distinct(kSownLines, random);
  const auto [a, b] = two_distinct(kPlaceCount, random);
  const auto [t, u] = two_distinct(kTimeCount, random);
  const int person = static_cast<int>(random.below(kPersonCount));
  sown[i + 1] = {person, t, a};
  sown[j + 1] = {person, u, b};
  diaries.enter(sown[i + 1], i + 1);
  diaries.enter(sown[j + 1], j + 1);

  Story story;
  for (int line = 1; line <= kLines; ++line) {
    if (line >= 5 && line % 3 == 2) {
      diaries.ask(story, random);
      continue;
    }
    const bool is_sown = line <= kSownLines && sown[line].place != kNowhere;
    const Visit visit = is_sown ? sown[line] : diaries.draw(random);
    diaries.enter(visit, line);
    tell_visit(visit, story, random);
  }
  return story;
}

}  // namespace gradus::babi
