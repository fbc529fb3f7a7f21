// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/files.h"

#include "gradus/core/error.h"
#include "gradus/core/hash.h"
#include "gradus/curricula/files/json_lines.h"
#include "gradus/curricula/files/show.h"
#include "gradus/curricula/files/text_file.h"
#include "gradus/curricula/files/text_task.h"
#include "gradus/files/checksums.h"
#include "gradus/files/file.h"

namespace gradus {

using namespace files;

namespace {

const FilesSettings& consistent(const FilesSettings& settings) {
  checked(settings);
  if (settings.context < settings.sequence) return settings;
  throw InputError("files.context is " + std::to_string(settings.context) +
                   ", expected less than files.sequence, " + std::to_string(settings.sequence));
}

TaskSequences read_task(const TaskFile& file, const std::string& bytes,
                        const FilesSettings& settings, SymbolCounter& counter) {
  const std::string_view text = checked_text(bytes, file.path);
  if (file.kind == FileKind::kJsonLines) {
    return read_json_lines(text, file.path, settings.unit, counter);
  }
  return read_text(text, file.path, {settings.unit, settings.sequence, settings.context}, counter);
}

std::optional<int> find_target(const std::string& name, const std::vector<std::string>& tasks) {
  if (name.empty()) return std::nullopt;
  return find_known("files.target", name, tasks);
}

}  // namespace

CurriculumEntry entry_of(const FilesSettings&) {
  return {.name = "files",
          .table = "files",
          .summary = "your own texts and input-target pairs, one task per file",
          // These train in a minute or two on two cores. Files may be noise, or small enough to be
          // memorised, so the signal follows held-out data. Two fifths of the batches are drawn
          // evenly, so that no task is neglected for long (docs/choosing.md).
          .defaults = {"gain=hsg", "syllabus.epsilon=0.4", "network.cells=128",
                       "optimiser.learning_rate=1e-3", "steps=6_000_000",
                       "evaluation.interval=150_000", "evaluation.all_tasks=true"},
          .reads = "JSON Lines if the name ends in .jsonl, otherwise a text",
          .answers =
              "JSON Lines: {\"input\": ...}. An optional \"target\" says at which steps an\n"
              "answer is due: at each of its tokens, or at the last N steps if it is a\n"
              "number N. Without it, from the last step with input"};
}

std::vector<Setting> settings_of(FilesSettings& s) {
  return {
      {.key = "files.path",
       .help = "a folder of .txt and .jsonl files, or a .toml list of tasks",
       .value = &s.path,
       .is_path = true},
      {.key = "files.unit",
       .help = "what a text is split into: \"character\" or \"word\"",
       .value = EnumValue(&s.unit),
       .choices = {name_of(Unit::kCharacter), name_of(Unit::kWord)}},
      {"files.sequence", "symbols per sequence of a text", &s.sequence, {1, 1e6}},
      {"files.context",
       "symbols at the start of each sequence that are not scored",
       &s.context,
       {0, 1e6}},
      {"files.vocabulary",
       "maximum number of tokens, including the unknown token",
       &s.vocabulary,
       {2, 1e7}},
      {"files.held_out",
       "fraction of each task's sequences that is held out from training",
       &s.held_out,
       {.low = 0, .high = 1, .above = true, .below = true}},
      {"files.split_seed",
       "random seed that chooses the held-out sequences",
       &s.split_seed,
       {0, kLargestCount}},
      {"files.target", "name of the target task; if empty, that of the .toml list, if any",
       &s.target},
  };
}

CurriculumDescription description_of(const FilesSettings&) {
  return {.title = "a curriculum of files"};
}

std::unique_ptr<Curriculum> make_curriculum(const FilesSettings& settings, const Note&) {
  return std::make_unique<Files>(settings);
}

Files::Files(const FilesSettings& settings) : unit_(consistent(settings).unit) {
  const Manifest manifest = read_manifest(settings.path);
  for (const TaskFile& file : manifest.tasks) tasks_.push_back(file.name);
  if (manifest.list) sources_.push_back(*manifest.list);
  target_ = find_target(settings.target.empty() ? manifest.target : settings.target, tasks_);
  read_tasks(manifest.tasks, settings);
  split_tasks(settings);
  data_.input = {.tokens = vocabulary_.size(), .bits = 0, .reals = 0};
  data_.output = {OutputKind::kSoftmax, vocabulary_.size()};
}

void Files::read_tasks(const std::vector<TaskFile>& list, const FilesSettings& settings) {
  SymbolCounter counter;
  for (const TaskFile& file : list) {
    const std::string bytes = read_file(file.path);
    sources_.push_back({file.name, sha256(bytes)});
    task_data_.push_back({file, read_task(file, bytes, settings, counter), {}});
  }
  vocabulary_ = Vocabulary(counter, settings.vocabulary);
  for (Task& task : task_data_) task.sequences.renumber(vocabulary_);
}

void Files::split_tasks(const FilesSettings& settings) {
  for (Task& task : task_data_) {
    // The split of a task depends on its name but not on the other tasks.
    const Random random(static_cast<std::uint64_t>(settings.split_seed), Purpose::kDataSet,
                        name_hash64(task.file.name));
    task.parts = split_sequences(task.sequences, settings.held_out, random);
    if (!task.parts.held_out.empty()) continue;
    throw_at(task.file.path, 1,
             "all " + std::to_string(task.sequences.size()) +
                 " sequences of the file are the same; a task needs two different ones, one to "
                 "train on and one to hold out");
  }
}

std::string_view Files::unit(int task) const {
  if (task_data_[task].file.kind == FileKind::kJsonLines) return "";
  return name_of(unit_);
}

double Files::total_sequences() const {
  double sum = 0;
  for (const Task& task : task_data_) sum += static_cast<double>(task.parts.training.size());
  return sum;
}

const std::vector<std::uint32_t>& Files::part(int task, Split split) const {
  const Parts& parts = task_data_[task].parts;
  return split == Split::kTraining ? parts.training : parts.held_out;
}

Batch Files::sample(int task, int count, Split split, Random& random) const {
  const std::vector<std::uint32_t>& from = part(task, split);
  std::vector<Sequence> sequences;
  sequences.reserve(count);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t drawn = from[random.below(static_cast<std::uint32_t>(from.size()))];
    sequences.push_back(task_data_[task].sequences.sequence(drawn));
  }
  return make_batch(sequences, data_);
}

std::string Files::describe(int task, Random& random) const {
  const Task& data = task_data_[task];
  const std::vector<std::uint32_t>& from = data.parts.training;
  const Sequence sequence =
      data.sequences.sequence(from[random.below(static_cast<std::uint32_t>(from.size()))]);
  const std::string header = "task " + data.file.name + ": " + data.file.path + ", " +
                             std::to_string(from.size()) + " sequences to train on, " +
                             std::to_string(data.parts.held_out.size()) +
                             " held out; vocabulary of " + std::to_string(vocabulary_.size()) +
                             " tokens, " + std::to_string(vocabulary_.unknown()) + " of " +
                             std::to_string(vocabulary_.met()) + " symbols unknown\n";
  return header + (data.file.kind == FileKind::kText ? show_text(sequence, vocabulary_, unit_)
                                                     : show_pair(sequence, vocabulary_));
}

}  // namespace gradus
