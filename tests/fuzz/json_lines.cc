// SPDX-License-Identifier: Apache-2.0
// A JSON Lines task of a user's curriculum.

#include "gradus/curricula/files/json_lines.h"

#include "gradus/curricula/files/split.h"
#include "gradus/curricula/files/text_file.h"
#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(json_lines)(const std::string& text) {
  for (const files::Unit unit : {files::Unit::kCharacter, files::Unit::kWord}) {
    accepted([&] {
      files::SymbolCounter asked;
      std::vector<bool> strings;
      auto questions = files::read_json_questions(files::checked_text(text, "fuzzed"), "fuzzed",
                                                  unit, asked, strings);
      require(questions.size() == strings.size(), "each question has its form");
      questions.renumber(files::Vocabulary({"<unk>", "a"}, asked));
      for (std::size_t i = 0; i < questions.size(); ++i) questions.sequence(i);
      return true;
    });
    files::SymbolCounter counter;
    auto sequences = accepted([&] {
      return files::read_json_lines(files::checked_text(text, "fuzzed"), "fuzzed", unit, counter);
    });
    if (!sequences) continue;
    sequences->renumber(files::Vocabulary(counter, 4));
    for (std::size_t i = 0; i < sequences->size(); ++i) sequences->sequence(i);
    files::split_sequences(*sequences, 0.1, Random(1, Purpose::kDataSet, 0));
  }
}

}  // namespace gradus::fuzz
