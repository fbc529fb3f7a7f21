// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/babi/reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/curricula/babi/encoding.h"
#include "gradus/files/checksums.h"
#include "gradus/files/file.h"
#include "gradus/files/utf8.h"

namespace gradus::babi {
namespace {

constexpr std::size_t kMostQuoted = 40;

std::string quoted(std::string_view text) {
  if (text.size() <= kMostQuoted) return "\"" + std::string(text) + "\"";
  // Cut at a character boundary, so that the message stays valid UTF-8.
  std::size_t end = kMostQuoted;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
  return "\"" + std::string(text.substr(0, end)) + "...\"";
}

// Removes the part up to `separator` from `rest` and returns it without the separator. Returns
// nullopt if there is no separator.
std::optional<std::string_view> take_until(char separator, std::string_view& rest) {
  const std::size_t end = rest.find(separator);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return part;
}

// A number of a line or of a task, which count from 1.
std::optional<int> number(std::string_view digits) {
  const std::optional<int> value = parse_number<int>(digits);
  return value && *value >= 1 ? value : std::nullopt;
}

bool is_plain_word(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  return words.size() == 1 && words[0].size() == text.size() && text != "." && text != "?";
}

// Reads a text line by line. Keeps the line number for error messages.
class Reader {
 public:
  /// If `asks`, read_questions(); otherwise read_stories().
  Reader(std::string_view text, std::string_view file, bool asks = false)
      : text_(text), file_(file), asks_(asks) {}

  std::vector<Story> read() {
    if (text_.empty()) throw InputError(std::string(file_) + ": is empty, expected stories");
    check_characters();
    std::string_view rest = text_;
    while (!rest.empty()) {
      ++line_;
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      read_line(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    check_story();
    return std::move(stories_);
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw InputError(std::string(file_) + ", line " + std::to_string(line_) + ": " + reason);
  }

  [[noreturn]] void refuse_at(std::size_t offset, const std::string& reason) {
    line_ = 1 + std::ranges::count(text_.substr(0, offset), '\n');
    refuse(reason);
  }

  void check_characters() {
    const std::size_t invalid = find_invalid_utf8(text_);
    if (invalid != std::string_view::npos) refuse_at(invalid, "is not UTF-8");
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text_[i]);
      const bool line_end = byte == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
      if (byte >= 32 || byte == '\t' || byte == '\n' || line_end) continue;
      refuse_at(i, "has the control character " + std::to_string(byte));
    }
  }

  void read_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    start_line(line);
    Line read;
    if (asks_ && (line.ends_with('?') || line.find('\t') != std::string_view::npos)) {
      read = read_asked(line);
    } else if (const auto question = take_until('\t', line)) {
      read = read_question(*question, line);
    } else {
      read.text = line;
      if (line.ends_with('?')) refuse("the question " + quoted(line) + " has no answer");
      check_text(line, '.');
    }
    stories_.back().lines.push_back(std::move(read));
  }

  // Removes the line number from `line`. Starts a new story if it is 1.
  void start_line(std::string_view& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::optional<int> given = number(line.substr(0, end));
    if (!given) {
      refuse("starts with " + quoted(line.substr(0, end)) + ", expected a line number");
    }
    const int expected = stories_.empty() ? 1 : stories_.back().next_line();
    if (*given != 1 && *given != expected) {
      refuse("is numbered " + std::to_string(*given) + ", expected " + std::to_string(expected) +
             (expected == 1 ? "" : ", or 1 for a new story"));
    }
    if (*given == 1) {
      check_story();
      stories_.emplace_back();
      story_line_ = line_;
    }
    line.remove_prefix(std::min(end + 1, line.size()));
  }

  // A finished story must have a question.
  void check_story() {
    if (stories_.empty() || std::ranges::any_of(stories_.back().lines, &Line::is_question)) return;
    line_ = story_line_;
    refuse("the story that starts here has no question");
  }

  Line read_question(std::string_view text, std::string_view rest) const {
    while (text.ends_with(' ')) text.remove_suffix(1);
    check_text(text, '?');
    const auto answer = take_until('\t', rest);
    if (!answer) refuse("has one TAB, expected two: question, answer, supporting lines");
    return {
        .text = std::string(text), .answer = read_answer(*answer), .support = read_support(rest)};
  }

  // Reads a question. Of its answer only the number of words matters, so all are ".", which every
  // vocabulary has.
  Line read_asked(std::string_view line) const {
    std::string_view text = line.substr(0, line.find('\t'));
    line.remove_prefix(std::min(text.size() + 1, line.size()));
    while (text.ends_with(' ')) text.remove_suffix(1);
    check_text(text, '?');
    const std::string_view answer = line.substr(0, line.find('\t'));
    const auto words = static_cast<std::size_t>(1 + std::ranges::count(answer, ','));
    return {
        .text = std::string(text), .answer = std::vector<std::string>(words, "."), .support = {}};
  }

  void check_text(std::string_view text, char mark) const {
    if (!text.ends_with(mark)) {
      refuse(std::string(mark == '.' ? "the statement " : "the question ") + quoted(text) +
             " does not end in '" + mark + "'");
    }
    if (words_of(text).size() < 2) refuse(quoted(text) + " has no words");
  }

  std::vector<std::string> read_answer(std::string_view text) const {
    if (text.empty()) refuse("the question has no answer");
    std::vector<std::string> words;
    while (true) {
      const std::string_view word = text.substr(0, text.find(','));
      if (!is_plain_word(word)) {
        refuse("the answer has " + quoted(word) + ", expected words separated by commas");
      }
      words.emplace_back(word);
      if (word.size() == text.size()) return words;
      text.remove_prefix(word.size() + 1);
    }
  }

  std::vector<int> read_support(std::string_view text) const {
    std::vector<int> support;
    while (true) {
      const std::string_view digits = text.substr(0, text.find(' '));
      support.push_back(read_fact(digits));
      if (std::ranges::count(support, support.back()) > 1) {
        refuse("supporting line " + std::string(digits) + " is given twice");
      }
      if (digits.size() == text.size()) return support;
      text.remove_prefix(digits.size() + 1);
    }
  }

  int read_fact(std::string_view digits) const {
    const std::vector<Line>& lines = stories_.back().lines;
    const std::optional<int> fact = number(digits);
    if (!fact) refuse("has the supporting line " + quoted(digits) + ", expected a line number");
    if (static_cast<std::size_t>(*fact) > lines.size()) {
      refuse("supporting line " + std::to_string(*fact) + " does not come before the question");
    }
    if (lines[*fact - 1].is_question()) {
      refuse("supporting line " + std::to_string(*fact) + " is a question, expected a statement");
    }
    return *fact;
  }

  std::string_view text_;
  std::string_view file_;
  bool asks_;
  std::vector<Story> stories_;
  std::int64_t line_ = 0;
  std::int64_t story_line_ = 0;
};

// Returns {7, "train"} for "qa7_counting_train.txt", and nullopt for other names.
std::optional<std::pair<int, std::string>> task_and_part(std::string_view name) {
  if (!name.starts_with("qa")) return std::nullopt;
  name.remove_prefix(2);
  const auto digits = take_until('_', name);
  const std::optional<int> task = digits ? number(*digits) : std::nullopt;
  if (!task || *task > kTaskCount) return std::nullopt;
  if (name.ends_with("_train.txt")) return {{*task, "train"}};
  if (name.ends_with("_test.txt")) return {{*task, "test"}};
  return std::nullopt;
}

using FilesByTask = std::map<std::pair<int, std::string>, std::filesystem::path>;

FilesByTask list_files(const std::filesystem::path& folder) {
  std::error_code error;
  FilesByTask files;
  std::filesystem::directory_iterator entries(folder, error);
  if (error) throw InputError("bAbI folder " + folder.string() + ": " + error.message());
  for (const auto& entry : entries) {
    const auto key = task_and_part(entry.path().filename().string());
    if (!key) continue;
    const auto [place, added] = files.emplace(*key, entry.path());
    if (added) continue;
    const auto [first, second] = std::minmax(place->second, entry.path());
    throw InputError(first.string() + " and " + second.string() + " are both task " +
                     std::to_string(key->first) + "; expected one " + key->second +
                     " file per task");
  }
  return files;
}

}  // namespace

std::vector<Story> read_stories(std::string_view text, std::string_view file) {
  return Reader(text, file).read();
}

std::vector<Story> read_questions(std::string_view text, std::string_view file) {
  return Reader(text, file, true).read();
}

Dataset read_dataset(const std::filesystem::path& folder) {
  const FilesByTask files = list_files(folder);
  Dataset dataset;
  const auto read = [&](int task, const char* part) {
    const auto found = files.find({task, part});
    if (found == files.end()) {
      throw InputError("bAbI folder " + folder.string() + " has no qa" + std::to_string(task) +
                       "_*_" + part + ".txt; expected a train and a test file for each of the " +
                       std::to_string(kTaskCount) + " tasks");
    }
    const std::string bytes = read_file(found->second);
    dataset.sources.push_back({found->second.filename().string(), sha256(bytes)});
    return read_stories(bytes, found->second.string());
  };
  for (int i = 0; i < kTaskCount; ++i) {
    dataset.training[i] = read(i + 1, "train");
    dataset.held_out[i] = read(i + 1, "test");
  }
  return dataset;
}

}  // namespace gradus::babi
