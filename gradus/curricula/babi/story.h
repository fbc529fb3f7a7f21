// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gradus::babi {

/// One line of a story: a statement, or a question with its answer and supporting facts.
struct Line {
  std::string text;                 ///< the sentence with its final `.` or `?`
  std::vector<std::string> answer;  ///< words of the answer; empty for a statement
  std::vector<int> support;         ///< line numbers of the supporting facts
  bool is_question() const { return !answer.empty(); }
  bool operator==(const Line&) const = default;
};

/// A story: statements and questions in reading order. Lines are numbered from 1.
struct Story {
  std::vector<Line> lines;

  /// Appends the statement made of `parts`, with its first letter in upper case. Returns its line
  /// number.
  int say(std::initializer_list<std::string_view> parts);
  /// Appends a question. Supporting lines are sorted and duplicates removed.
  void ask(std::initializer_list<std::string_view> parts, std::string_view answer,
           std::vector<int> support);
  /// The same with an answer of several words.
  void ask_words(std::initializer_list<std::string_view> parts, std::vector<std::string> answer,
                 std::vector<int> support);
  /// The number of the next line.
  int next_line() const { return static_cast<int>(lines.size()) + 1; }

  bool operator==(const Story&) const = default;
};

/// The story in the dataset's text format. Every line ends with a newline:
///   <number> <statement>
///   <number> <question>TAB<answer words joined by commas>TAB<support joined by spaces>
std::string to_text(const Story& story);

}  // namespace gradus::babi
