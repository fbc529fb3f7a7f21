// SPDX-License-Identifier: Apache-2.0
// UTF-8, and a text task of a user's curriculum. Code points are written as they were read.

#include "gradus/curricula/files/text_file.h"
#include "gradus/curricula/files/text_task.h"
#include "gradus/files/utf8.h"
#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(texts)(const std::string& text) {
  const std::size_t valid = std::min(find_invalid_utf8(text), text.size());
  std::string written;
  std::size_t points = 0;
  while (written.size() < valid) {
    append_utf8(written, first_code_point(std::string_view(text).substr(written.size())));
    ++points;
  }
  require(written == text.substr(0, valid), "code points are written as they were read");
  require(count_code_points(written) == points, "all code points are counted");
  for (const files::Unit unit : {files::Unit::kCharacter, files::Unit::kWord}) {
    files::SymbolCounter counter;
    accepted([&] {
      return files::read_text(files::checked_text(text, "fuzzed"), "fuzzed", {unit, 4, 1}, counter);
    });
  }
}

}  // namespace gradus::fuzz
