// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/data_reader.h"

#include "gradus/core/error.h"
#include "gradus/curricula/babi/babi.h"
#include "gradus/curricula/babi/encoding.h"
#include "gradus/curricula/babi/reader.h"

namespace gradus {
namespace {

class BabiReader final : public DataReader {
 public:
  explicit BabiReader(const std::vector<std::string>& words) : vocabulary_(words) {}

  EncodedData read(std::string_view bytes, const std::string& file) const override {
    EncodedData data{encode_all(babi::read_stories(bytes, file), file), "", 0, 0};
    for (const Sequence& sequence : data.sequences) data.symbols += sequence.length();
    return data;
  }

  std::vector<std::int32_t> read_prompt(std::string_view, std::int64_t&) const override {
    throw InputError(
        "the network answers questions and has no text to continue; gradus answer "
        "asks it");
  }

  std::vector<Questions> read_questions(std::string_view bytes, const std::string& file,
                                        std::int64_t&) const override {
    std::vector<Questions> all;
    for (Sequence& sequence : encode_all(babi::read_questions(bytes, file), file)) {
      Questions questions{{}, {}, ","};
      for (int t = 0; t < sequence.length(); ++t) {
        const bool last = t + 1 == sequence.length() || sequence.scored[t + 1] == 0;
        if (sequence.scored[t] != 0 && last) questions.ends.push_back(t);
      }
      questions.sequence = std::move(sequence);
      all.push_back(std::move(questions));
    }
    return all;
  }

 private:
  std::vector<Sequence> encode_all(const std::vector<babi::Story>& stories,
                                   const std::string& file) const {
    std::vector<Sequence> sequences;
    for (const babi::Story& story : stories) {
      try {
        sequences.push_back(encode(story, vocabulary_));
      } catch (const InputError& error) {
        throw InputError(file + ", story " + std::to_string(sequences.size() + 1) + ": " +
                         error.what());
      }
    }
    return sequences;
  }

  babi::Vocabulary vocabulary_;
};

}  // namespace

std::unique_ptr<DataReader> make_reader(const BabiSettings&,
                                        const std::vector<std::string>& vocabulary) {
  return std::make_unique<BabiReader>(vocabulary);
}

}  // namespace gradus
