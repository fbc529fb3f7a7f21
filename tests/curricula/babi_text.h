// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gradus/curricula/babi/tasks.h"

namespace gradus::babi {

/// Stories parsed from their text alone, without any state of the generator, so that tests can
/// derive the answers again.
struct TextLine {
  int number = 0;
  std::string text;                ///< including its final mark
  std::vector<std::string> words;  ///< words of the text, case kept, without the final mark
  std::string answer;              ///< as written, including commas
  std::vector<int> support;
  bool question = false;
};

using TextStory = std::vector<TextLine>;

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

inline TextStory take_apart(const std::string& text) {
  TextStory story;
  for (const std::string& line : split(text, '\n')) {
    const std::size_t space = line.find(' ');
    const std::vector<std::string> fields = split(line.substr(space + 1), '\t');
    TextLine read;
    read.number = std::stoi(line.substr(0, space));
    read.text = fields[0];
    read.words = split(fields[0].substr(0, fields[0].size() - 1), ' ');
    read.question = fields.size() > 1;
    if (read.question) {
      read.answer = fields[1];
      for (const std::string& fact : split(fields[2], ' ')) read.support.push_back(std::stoi(fact));
    }
    story.push_back(read);
  }
  return story;
}

/// `count` stories of task `number` (1..20). Always the same ones.
inline std::vector<TextStory> stories_of(int number, int count, const Rules& rules = {}) {
  std::vector<TextStory> stories;
  for (int i = 0; i < count; ++i) {
    Random random(2017, Purpose::kSample, i, number);
    stories.push_back(take_apart(to_text(all_tasks()[number - 1].generate(rules, random))));
  }
  return stories;
}

inline bool is_one_of(const std::string& word, const std::set<std::string>& words) {
  return words.contains(word);
}

inline bool tells_move(const TextLine& line) {
  return is_one_of(line.words[1], {"went", "journeyed", "travelled", "moved"});
}
inline bool tells_get(const TextLine& line) {
  return is_one_of(line.words[1], {"grabbed", "took", "got"});
}
inline bool tells_drop(const TextLine& line) {
  return is_one_of(line.words[1], {"dropped", "put", "let"});
}
inline bool tells_give(const TextLine& line) {
  return line.words[1] == "gave";
}

/// The basic world, simulated from the text and the start that no story tells. Uses names instead
/// of indices.
struct ActedWorld {
  std::map<std::string, std::string> place{
      {"John", "kitchen"}, {"Mary", "bedroom"}, {"Sandra", "garden"}, {"Daniel", "hallway"}};
  std::map<std::string, std::string> lies{
      {"apple", "kitchen"}, {"milk", "kitchen"}, {"football", "garden"}};
  std::map<std::string, std::string> holder;  ///< holders of the objects that are held

  /// Performs a move, get, drop or give. Returns false if it is impossible.
  bool act(const TextLine& line) {
    const std::string& person = line.words.front();
    const std::string& last = line.words.back();
    if (tells_move(line)) {
      const bool possible = place.at(person) != last;
      place[person] = last;
      return possible;
    }
    if (tells_get(line)) {
      const bool possible = !holder.contains(last) && lies.at(last) == place.at(person);
      holder[last] = person;
      return possible;
    }
    const bool held = holder.contains(last) && holder.at(last) == person;
    if (tells_drop(line)) {
      holder.erase(last);
      lies[last] = place.at(person);
      return held;
    }
    const std::string& recipient = line.words[2];
    holder[last] = recipient;
    return held && recipient != person && place.at(recipient) == place.at(person);
  }
};

}  // namespace gradus::babi
