// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "gradus/core/curriculum.h"
#include "gradus/curricula/babi/story.h"
#include "gradus/curricula/babi/tasks.h"

namespace gradus::babi {

/// Reads stories in the dataset's text format (story.h). Spaces before a question's first TAB are
/// dropped, supporting facts keep their order, and lines may end in CR LF.
///
/// Throws InputError "<file>, line <n>: <reason>" if
/// - the text is not UTF-8 or has control characters;
/// - a line has no number, a wrong number, no final `.` or `?`, or no words;
/// - a question has no answer or no supporting facts, or these are not earlier statements;
/// - a story has no question.
/// If the text is empty, the message has no line number.
std::vector<Story> read_stories(std::string_view text, std::string_view file);

/// Reads stories whose questions need not have answers. An answer says only how many words are
/// asked for; without one it is a single word. Supporting facts are ignored. The answers of the
/// result are arbitrary words.
std::vector<Story> read_questions(std::string_view text, std::string_view file);

/// The stories of the twenty tasks, by index.
struct Dataset {
  std::array<std::vector<Story>, kTaskCount> training;
  std::array<std::vector<Story>, kTaskCount> held_out;
  std::vector<DataSource> sources;  ///< the files, in the order of the tasks
};

/// Reads qaN_*_train.txt and qaN_*_test.txt for N = 1..20 and ignores other files. Throws
/// InputError if the folder cannot be read, or if one of these files is missing, exists twice or
/// has an error.
Dataset read_dataset(const std::filesystem::path& folder);

}  // namespace gradus::babi
