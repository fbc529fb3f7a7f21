// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/babi/story.h"

#include <algorithm>
#include <utility>

namespace gradus::babi {
namespace {

std::string sentence(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  std::string text;
  text.reserve(size);
  for (const std::string_view part : parts) text += part;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

int Story::say(std::initializer_list<std::string_view> parts) {
  lines.push_back({.text = sentence(parts), .answer = {}, .support = {}});
  return static_cast<int>(lines.size());
}

void Story::ask_words(std::initializer_list<std::string_view> parts,
                      std::vector<std::string> answer, std::vector<int> support) {
  std::ranges::sort(support);
  support.erase(std::unique(support.begin(), support.end()), support.end());
  lines.push_back(
      {.text = sentence(parts), .answer = std::move(answer), .support = std::move(support)});
}

void Story::ask(std::initializer_list<std::string_view> parts, std::string_view answer,
                std::vector<int> support) {
  ask_words(parts, std::vector<std::string>{std::string(answer)}, std::move(support));
}

std::string to_text(const Story& story) {
  std::string text;
  int number = 0;
  for (const Line& line : story.lines) {
    text += std::to_string(++number) + " " + line.text;
    char separator = '\t';
    for (const std::string& word : line.answer) {
      text += separator + word;
      separator = ',';
    }
    separator = '\t';
    for (const int fact : line.support) {
      text += separator + std::to_string(fact);
      separator = ' ';
    }
    text += '\n';
  }
  return text;
}

}  // namespace gradus::babi
