#pragma once

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "gradus/curricula/babi/story.h"
#include "gradus/curricula/babi/tasks.h"

namespace gradus::babi {

/// Reads stories in the dataset's text format (story.h). A space before a question's first TAB is
/// dropped, supporting facts keep their order, lines may end in CR LF.
/// Throws InputError "<file>, line <n>: <reason>" where the text is empty, not UTF-8 or has control
/// characters; where a line has no number, a wrong one, no final `.` or `?`, or no word; where a
/// question lacks its answer or supporting facts, or these are not statements before it; where a
/// story has no question.
std::vector<Story> read_stories(std::string_view text, std::string_view file);

/// Reads one file. Throws InputError also where it cannot be read.
std::vector<Story> read_stories_file(const std::filesystem::path& file);

/// The stories of the twenty tasks, by index.
struct Dataset {
  std::array<std::vector<Story>, kTaskCount> training;
  std::array<std::vector<Story>, kTaskCount> held_out;
};

/// Reads qaN_*_train.txt and qaN_*_test.txt for N = 1..20; other files are left alone. Throws
/// InputError where the folder cannot be read, lacks one of these or has two for one task.
Dataset read_dataset(const std::filesystem::path& folder);

}  // namespace gradus::babi
