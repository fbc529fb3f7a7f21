// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/ngram.h"

#include <filesystem>

namespace gradus {
namespace {

NgramCorpus corpus_of(const NgramSettings& settings) {
  check(settings);
  return load_corpus(settings.corpus);
}

}  // namespace

Sequence ngram_sequence(std::span<const Symbol> characters, int context) {
  Sequence sequence;
  sequence.tokens.assign(characters.begin(), characters.end() - 1);
  sequence.tokens.insert(sequence.tokens.begin(), kNoToken);
  sequence.targets.assign(characters.begin(), characters.end());
  sequence.scored.assign(characters.size(), 1);
  std::fill_n(sequence.scored.begin(), context, std::uint8_t{0});
  return sequence;
}

std::unique_ptr<Curriculum> make_curriculum(const NgramSettings& settings, const Note& note) {
  return std::make_unique<Ngram>(settings, note);
}

Ngram::Ngram(const NgramSettings& settings, Note note)
    : Ngram(settings, corpus_of(settings), std::move(note)) {}

Ngram::Ngram(const NgramSettings& settings, const NgramCorpus& corpus, Note note)
    : settings_(settings),
      alphabet_(corpus.alphabet),
      corpus_{std::filesystem::path(corpus.source).filename().string(), corpus.sha256},
      sets_(load_data_sets(corpus, settings, NgramCache(settings.cache, std::move(note)))) {
  data_.input = {.tokens = alphabet_.size(), .bits = 0, .reals = 0};
  data_.output = {OutputKind::kSoftmax, alphabet_.size()};
  for (int order = 0; order <= settings.max_order; ++order) {
    tasks_.push_back(std::to_string(order) + "-gram");
  }
}

std::vector<std::string> Ngram::vocabulary() const {
  std::vector<std::string> characters;
  for (int symbol = 0; symbol < alphabet_.size(); ++symbol) {
    const auto one = static_cast<Symbol>(symbol);
    characters.push_back(alphabet_.decode({&one, 1}));
  }
  return characters;
}

std::uint32_t Ngram::sequences() const {
  return static_cast<std::uint32_t>(settings_.characters / settings_.sequence);
}

double Ngram::total_sequences() const {
  return static_cast<double>(sequences()) * static_cast<double>(tasks_.size());
}

std::span<const Symbol> Ngram::draw(int task, Split split, Random& random) const {
  const std::size_t length = settings_.sequence;
  return sets_.set(task, split).subspan(random.below(sequences()) * length, length);
}

Batch Ngram::sample(int task, int count, Split split, Random& random) const {
  std::vector<Sequence> sequences;
  sequences.reserve(count);
  for (int i = 0; i < count; ++i) {
    sequences.push_back(ngram_sequence(draw(task, split, random), settings_.context));
  }
  return make_batch(sequences, data_);
}

std::string Ngram::describe(int task, Random& random) const {
  const std::span<const Symbol> characters = draw(task, Split::kTraining, random);
  return "task " + tasks_[task] + ": " + std::to_string(settings_.context) +
         " characters of context, then " + std::to_string(settings_.sequence - settings_.context) +
         " scored\ncontext: " + alphabet_.decode(characters.first(settings_.context)) +
         "\nscored:  " + alphabet_.decode(characters.subspan(settings_.context));
}

}  // namespace gradus
