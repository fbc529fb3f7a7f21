// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/data_reader.h"
#include "gradus/curricula/files/files.h"
#include "gradus/curricula/files/json_lines.h"
#include "gradus/curricula/files/text_file.h"
#include "gradus/curricula/files/text_task.h"

namespace gradus {
namespace {

using namespace files;

/// Symbols that are not in the vocabulary become its first token, as in the curriculum.
class FilesReader final : public DataReader {
 public:
  FilesReader(const FilesSettings& settings, const std::vector<std::string>& vocabulary)
      : text_{settings.unit, settings.sequence, settings.context}, tokens_(vocabulary) {}

  EncodedData read(std::string_view bytes, const std::string& file) const override {
    const std::string_view text = checked_text(bytes, file);
    const bool json_lines = file.ends_with(".jsonl");
    SymbolCounter counter;
    TaskSequences sequences = json_lines ? read_json_lines(text, file, text_.unit, counter, 1)
                                         : read_text(text, file, text_, counter, 1);
    const Vocabulary vocabulary(tokens_, counter);
    EncodedData data{numbered(sequences, vocabulary), "", vocabulary.met(), vocabulary.unknown()};
    if (!json_lines) data.unit = name_of(text_.unit);
    return data;
  }

  std::vector<std::int32_t> read_prompt(std::string_view text,
                                        std::int64_t& unknown) const override {
    std::vector<std::int32_t> tokens;
    if (text.empty()) return tokens;
    SymbolCounter counter;
    for_each_symbol(checked_text(text, "the prompt"), text_.unit,
                    [&](std::string_view symbol) { tokens.push_back(counter.met(symbol)); });
    const Vocabulary vocabulary(tokens_, counter);
    for (std::int32_t& token : tokens) token = vocabulary.token(token);
    unknown += vocabulary.unknown();
    return tokens;
  }

  std::string_view separator() const override { return text_.unit == Unit::kWord ? " " : ""; }

  std::vector<Questions> read_questions(std::string_view bytes, const std::string& file,
                                        std::int64_t& unknown) const override {
    SymbolCounter counter;
    std::vector<bool> strings;
    TaskSequences sequences =
        read_json_questions(checked_text(bytes, file), file, text_.unit, counter, strings);
    const Vocabulary vocabulary(tokens_, counter);
    unknown += vocabulary.unknown();
    std::vector<Questions> questions;
    for (Sequence& sequence : numbered(sequences, vocabulary)) {
      const bool joined = strings[questions.size()] && text_.unit == Unit::kCharacter;
      int end = sequence.length() - 1;
      while (sequence.scored[end] == 0) --end;
      questions.push_back({std::move(sequence), {end}, joined ? "" : " "});
    }
    return questions;
  }

 private:
  static std::vector<Sequence> numbered(TaskSequences& from, const Vocabulary& vocabulary) {
    from.renumber(vocabulary);
    std::vector<Sequence> sequences;
    for (std::size_t i = 0; i < from.size(); ++i) sequences.push_back(from.sequence(i));
    return sequences;
  }

  TextSettings text_;
  std::vector<std::string> tokens_;
};

}  // namespace

std::unique_ptr<DataReader> make_reader(const FilesSettings& settings,
                                        const std::vector<std::string>& vocabulary) {
  return std::make_unique<FilesReader>(settings, vocabulary);
}

}  // namespace gradus
