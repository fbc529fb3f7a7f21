// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/king_james.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

#include "gradus/core/error.h"

namespace gradus {
namespace {

constexpr int kVerses = 31102;
constexpr const char* kAdvice =
    "; install the package bible-kjv, or set ngram.corpus to a text file";

// -p: read the data from /usr/lib, not the current directory. -f: print one verse per line.
constexpr const char* kCommand = "bible -p /usr/lib -f Gen1:1-Rev22:21 2>/dev/null </dev/null";

std::string output_of(const char* command) {
  std::FILE* pipe = ::popen(command, "r");
  if (pipe == nullptr) throw InputError(std::string("cannot run the program bible") + kAdvice);
  std::string output;
  std::array<char, 1 << 16> block;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), pipe)) {
    output.append(block.data(), count);
  }
  if (::pclose(pipe) != 0) {
    throw InputError(std::string("the program bible is missing or failed") + kAdvice);
  }
  return output;
}

// Length of a leading reference such as "Ge1:1 " or "2Ki12:3 ", or 0 if there is none.
std::size_t reference_length(std::string_view line) {
  const auto skip = [&](std::size_t from, auto is) {
    while (from < line.size() && is(static_cast<unsigned char>(line[from]))) ++from;
    return from;
  };
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const std::size_t book = skip(skip(0, digit), letter);
  const std::size_t chapter = skip(book, digit);
  if (chapter == book || chapter == line.size() || line[chapter] != ':') return 0;
  const std::size_t verse = skip(chapter + 1, digit);
  if (verse == chapter + 1 || verse == line.size() || line[verse] != ' ') return 0;
  return verse + 1;
}

void append_verse(std::string& text, std::string_view verse) {
  for (const char c : verse) {
    if (c != ' ' || text.empty() || text.back() != ' ') text += c;
  }
  if (!text.ends_with(' ')) text += ' ';
}

}  // namespace

std::string canterbury_shape(std::string_view verses) {
  std::string text;
  text.reserve(verses.size());
  while (!verses.empty()) {
    const std::string_view line = verses.substr(0, verses.find('\n'));
    verses.remove_prefix(std::min(verses.size(), line.size() + 1));
    const std::size_t reference = reference_length(line);
    if (reference == 0) {
      throw InputError("the program bible printed \"" + std::string(line.substr(0, 60)) +
                       "\", expected a reference and a verse");
    }
    if (line.starts_with("2Ki")) continue;
    append_verse(text, line.substr(reference));
    if (!line.starts_with("Ge1:1 ")) text += '\n';
  }
  return text + '\n';
}

std::string king_james_text() {
  const std::string verses = output_of(kCommand);
  const auto lines = std::count(verses.begin(), verses.end(), '\n');
  if (lines != kVerses) {
    throw InputError("the program bible printed " + std::to_string(lines) + " verses, expected " +
                     std::to_string(kVerses) + kAdvice);
  }
  return canterbury_shape(verses);
}

}  // namespace gradus
