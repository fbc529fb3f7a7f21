// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/show.h"

#include <algorithm>
#include <cstdio>

#include "gradus/files/utf8.h"

namespace gradus::files {
namespace {

constexpr const char* kNothing = "\u00b7";

// Escapes control characters, so that a sequence stays on one line.
std::string visible(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02x", byte);
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += escape;
    } else {
      result += c;
    }
  }
  return result;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - count_code_points(text), ' ');
}

}  // namespace

std::string show_text(const Sequence& sequence, const Vocabulary& vocabulary, Unit unit) {
  std::string context, scored;
  for (int t = 0; t < sequence.length(); ++t) {
    // Step t + 1 reads symbol t. The last symbol is only a target.
    const bool last = t + 1 == sequence.length();
    const auto token =
        last ? static_cast<std::int32_t>(sequence.targets[t]) : sequence.tokens[t + 1];
    std::string& part = sequence.scored[t] != 0 ? scored : context;
    if (unit == Unit::kWord && !part.empty()) part += ' ';
    part += visible(vocabulary.text(token));
  }
  return "context \"" + context + "\"\nscored  \"" + scored + "\"";
}

std::string show_pair(const Sequence& sequence, const Vocabulary& vocabulary) {
  std::string inputs = "input ", targets = "target";
  for (int t = 0; t < sequence.length(); ++t) {
    const std::int32_t token = sequence.tokens[t];
    const std::string input = token == kNoToken ? kNothing : visible(vocabulary.text(token));
    const std::string target =
        sequence.scored[t] == 0 ? kNothing
                                : visible(vocabulary.text(static_cast<int>(sequence.targets[t])));
    const std::size_t width = std::max(count_code_points(input), count_code_points(target));
    inputs += " " + padded(input, width);
    targets += " " + padded(target, width);
  }
  return inputs + "\n" + targets;
}

}  // namespace gradus::files
