// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/babi/babi.h"

#include <algorithm>

namespace gradus {
namespace {

constexpr double kStoriesATask = 1e6;

babi::Vocabulary vocabulary_of(const babi::Dataset* dataset) {
  if (dataset == nullptr) return babi::Vocabulary(babi::generator_words());
  std::set<std::string, std::less<>> words;
  for (int i = 0; i < babi::kTaskCount; ++i) {
    for (const babi::Story& story : dataset->training[i]) collect_words(story, words);
    for (const babi::Story& story : dataset->held_out[i]) collect_words(story, words);
  }
  return babi::Vocabulary({words.begin(), words.end()});
}

template <typename T>
const T& one_of(const std::vector<T>& values, Random& random) {
  return values[random.below(static_cast<std::uint32_t>(values.size()))];
}

}  // namespace

CurriculumEntry entry_of(const BabiSettings&) {
  return {.name = "babi",
          .table = "babi",
          .summary = "answer questions about short stories: the twenty bAbI tasks",
          .reads = "stories in the format of bAbI",
          .answers =
              "stories in the format of bAbI. Questions need no answers; the network writes\n"
              "as many words as a given answer has, otherwise one"};
}

std::vector<Setting> settings_of(BabiSettings& s) {
  return {
      {.key = "babi.variant",
       .help = "version of the public generator: \"P\" of early 2017, or \"H\", the current one",
       .value = EnumValue(&s.variant),
       .choices = {"P", "H"}},
      {"babi.consistent", "correct the inverted answers of tasks 17 and 19", &s.consistent},
      {.key = "babi.folder",
       .help = "folder of official files (qa*_train.txt, qa*_test.txt) to use instead of the "
               "generator",
       .value = &s.folder,
       .is_path = true},
  };
}

CurriculumDescription description_of(const BabiSettings&) {
  return {.title = "the bAbI curriculum",
          .noun = "bAbI task",
          .by_task = {"error"},
          .measure = "tasks_completed",
          .paper_figures = {{"performance", {4, 3.5e8}}, {"tasks", {5, 2e8}}},
          .paper_settings = {{"network.cells", "512"}, {"network.layers", "2"}}};
}

std::unique_ptr<Curriculum> make_curriculum(const BabiSettings& settings, const Note&) {
  return std::make_unique<Babi>(settings);
}

Babi::Babi(const BabiSettings& settings)
    : rules_{settings.variant, settings.consistent},
      files_(settings.folder.empty() ? nullptr
                                     : new Files{.stories = babi::read_dataset(settings.folder),
                                                 .training = {},
                                                 .held_out = {}}),
      vocabulary_(vocabulary_of(files_ ? &files_->stories : nullptr)),
      data_(data_spec(vocabulary_)) {
  for (const babi::Task& task : babi::all_tasks()) tasks_.emplace_back(task.title);
  if (files_) encode_files();
}

void Babi::encode_files() {
  for (int i = 0; i < babi::kTaskCount; ++i) {
    for (const babi::Story& story : files_->stories.training[i]) {
      files_->training[i].push_back(encode(story, vocabulary_));
    }
    for (const babi::Story& story : files_->stories.held_out[i]) {
      files_->held_out[i].push_back(encode(story, vocabulary_));
    }
  }
}

std::vector<DataSource> Babi::sources() const {
  return files_ ? files_->stories.sources : std::vector<DataSource>();
}

double Babi::total_sequences() const {
  if (!files_) return kStoriesATask * babi::kTaskCount;
  std::size_t stories = 0;
  for (const auto& of_task : files_->training) stories += of_task.size();
  return static_cast<double>(stories);
}

Sequence Babi::draw_sequence(int task, Split split, Random& random) const {
  if (!files_) return encode(babi::all_tasks()[task].generate(rules_, random), vocabulary_);
  const auto& sequences = split == Split::kTraining ? files_->training : files_->held_out;
  return one_of(sequences[task], random);
}

Batch Babi::sample(int task, int count, Split split, Random& random) const {
  std::vector<Sequence> sequences;
  for (int i = 0; i < count; ++i) sequences.push_back(draw_sequence(task, split, random));
  return make_batch(sequences, data_);
}

std::string Babi::describe(int task, Random& random) const {
  std::string text = files_ ? to_text(one_of(files_->stories.training[task], random))
                            : to_text(babi::all_tasks()[task].generate(rules_, random));
  text.pop_back();
  return text;
}

}  // namespace gradus
