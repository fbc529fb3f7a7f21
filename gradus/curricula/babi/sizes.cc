// SPDX-License-Identifier: Apache-2.0
// Task 18, size reasoning. Six things are ordered by size: the four largest in random order, then
// the two smallest, which are fixed. Two facts form a chain of three things. Then come 2 to 7 more
// facts, each about a pair not yet stated; a fact is taken back if it leaves no pair whose shortest
// chain of facts has two links. All facts are told in random order, then there is one question for
// each such pair, in random order and in one of four wordings. Support: the two facts of one chain.

#include <algorithm>

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"

namespace gradus::babi {
namespace {

constexpr int kThings = 6;
constexpr int kShuffled = 4;  // the largest things
constexpr std::array<std::string_view, kThings> kNames{
    "suitcase", "container", "box", "treasure chest", "box of chocolates", "chocolate"};
constexpr int kFewestMore = 2;
constexpr int kMostMore = 7;

struct Pair {
  int larger = 0;
  int smaller = 0;
};

// The facts stated so far. Things are numbered by size, and 0 is the largest.
class Facts {
 public:
  bool stated(Pair pair) const { return stated_[pair.larger][pair.smaller]; }

  void state(Pair pair) {
    stated_[pair.larger][pair.smaller] = true;
    pairs_.push_back(pair);
  }

  void take_back() {
    stated_[pairs_.back().larger][pairs_.back().smaller] = false;
    pairs_.pop_back();
  }

  // Whether both larger > z and z > smaller have been stated.
  bool links(Pair pair, int z) const {
    return stated({pair.larger, z}) && stated({z, pair.smaller});
  }

  // The pairs whose shortest chain of facts has exactly two links.
  std::vector<Pair> two_link_pairs() const {
    std::vector<Pair> found;
    for (int larger = 0; larger < kThings; ++larger) {
      for (int smaller = larger + 2; smaller < kThings; ++smaller) {
        const Pair pair{larger, smaller};
        bool linked = false;
        for (int z = larger + 1; z < smaller; ++z) linked = linked || links(pair, z);
        if (linked && !stated(pair)) found.push_back(pair);
      }
    }
    return found;
  }

  std::vector<Pair>& pairs() { return pairs_; }

 private:
  std::array<std::array<bool, kThings>, kThings> stated_{};
  std::vector<Pair> pairs_;
};

Pair draw_pair(Random& random) {
  const auto [a, b] = two_distinct(kThings, random);
  return {std::min(a, b), std::max(a, b)};
}

// At most 8 of the 15 pairs are stated, and one of the others has two links. Every other pair that
// is not stated will do, so a draw succeeds with a probability of 6/15 or more.
void state_one_more(Facts& facts, Random& random) {
  for (;;) {
    const Pair pair = draw_pair(random);
    if (facts.stated(pair)) continue;
    facts.state(pair);
    if (!facts.two_link_pairs().empty()) return;
    facts.take_back();
  }
}

Facts draw_facts(Random& random) {
  Facts facts;
  auto chain = permutation<kThings>(random);
  std::sort(chain.begin(), chain.begin() + 3);
  facts.state({chain[0], chain[1]});
  facts.state({chain[1], chain[2]});
  const int more = kFewestMore + static_cast<int>(random.below(kMostMore - kFewestMore + 1));
  for (int i = 0; i < more; ++i) state_one_more(facts, random);
  return facts;
}

void ask(std::string_view larger, std::string_view smaller, const std::vector<int>& support,
         Story& story, Random& random) {
  switch (random.below(4)) {
    case 0:
      return story.ask({"Is the ", larger, " bigger than ", smaller, "?"}, "yes", support);
    case 1:
      return story.ask({"Does the ", larger, " fit in the ", smaller, "?"}, "no", support);
    case 2:
      return story.ask({"Is the ", smaller, " bigger than ", larger, "?"}, "no", support);
    default:
      return story.ask({"Does the ", smaller, " fit in the ", larger, "?"}, "yes", support);
  }
}

}  // namespace

Story size_reasoning(const Rules&, Random& random) {
  std::array<std::string_view, kThings> names = kNames;
  const auto order = permutation<kShuffled>(random);
  for (int i = 0; i < kShuffled; ++i) names[i] = kNames[order[i]];

  Facts facts = draw_facts(random);
  shuffle(facts.pairs(), random);
  Story story;
  std::array<std::array<int, kThings>, kThings> lines{};
  for (const auto [larger, smaller] : facts.pairs()) {
    lines[larger][smaller] =
        story.say({"The ", names[larger], " is bigger than the ", names[smaller], "."});
  }
  std::vector<Pair> asked = facts.two_link_pairs();
  shuffle(asked, random);
  for (const Pair pair : asked) {
    const int z = *one_where(
        kThings, [&](int i) { return facts.links(pair, i); }, random);
    ask(names[pair.larger], names[pair.smaller], {lines[pair.larger][z], lines[z][pair.smaller]},
        story, random);
  }
  return story;
}

}  // namespace gradus::babi
