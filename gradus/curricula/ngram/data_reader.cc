// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/data_reader.h"

#include <algorithm>

#include "gradus/core/error.h"
#include "gradus/curricula/ngram/ngram.h"

namespace gradus {
namespace {

class NgramReader final : public DataReader {
 public:
  NgramReader(const NgramSettings& settings, const std::vector<std::string>& vocabulary)
      : settings_(settings), alphabet_(characters(vocabulary), "the vocabulary") {}

  /// Cuts the text into sequences like those of the data sets. The rest at the end is a shorter one
  /// if it has something to score.
  EncodedData read(std::string_view bytes, const std::string& file) const override {
    const std::vector<Symbol> symbols = alphabet_.encode(decode_utf8(bytes, file), file);
    const auto context = static_cast<std::size_t>(settings_.context);
    const auto length = static_cast<std::size_t>(settings_.sequence);
    EncodedData data{{}, "character", static_cast<std::int64_t>(symbols.size()), 0};
    for (std::size_t first = 0; first + context < symbols.size(); first += length) {
      const std::size_t steps = std::min(length, symbols.size() - first);
      data.sequences.push_back(
          ngram_sequence(std::span(symbols).subspan(first, steps), settings_.context));
    }
    if (!data.sequences.empty()) return data;
    throw InputError(file + ": has " + std::to_string(symbols.size()) +
                     " characters, expected more than the context, " + std::to_string(context) +
                     " (ngram.context)");
  }

  std::vector<std::int32_t> read_prompt(std::string_view text, std::int64_t&) const override {
    const auto symbols = alphabet_.encode(decode_utf8(text, "the prompt"), "the prompt");
    return {symbols.begin(), symbols.end()};
  }

  std::vector<Questions> read_questions(std::string_view, const std::string&,
                                        std::int64_t&) const override {
    throw InputError(
        "the network predicts text and answers no questions; gradus sample writes "
        "text");
  }

 private:
  static std::u32string characters(const std::vector<std::string>& vocabulary) {
    std::string text;
    for (const std::string& character : vocabulary) text += character;
    return decode_utf8(text, "the vocabulary");
  }

  NgramSettings settings_;
  Alphabet alphabet_;
};

}  // namespace

std::unique_ptr<DataReader> make_reader(const NgramSettings& settings,
                                        const std::vector<std::string>& vocabulary) {
  return std::make_unique<NgramReader>(settings, vocabulary);
}

}  // namespace gradus
