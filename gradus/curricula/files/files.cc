#include "gradus/curricula/files/files.h"

#include <algorithm>

#include "gradus/core/error.h"
#include "gradus/core/hash.h"
#include "gradus/curricula/files/json_lines.h"
#include "gradus/curricula/files/show.h"
#include "gradus/curricula/files/text_file.h"
#include "gradus/curricula/files/text_task.h"
#include "gradus/files/file.h"

namespace gradus {

using namespace files;

namespace {

void check(const char* key, const std::string& value, bool valid, const std::string& expected) {
  if (valid) return;
  throw InputError(std::string("files.") + key + " is " + value + ", expected " + expected);
}

const FilesSettings& checked(const FilesSettings& s) {
  unit_named(s.unit);
  check("sequence", std::to_string(s.sequence), s.sequence >= 1, "1 or more");
  check("context", std::to_string(s.context), s.context >= 0 && s.context < s.sequence,
        "0 or more and less than files.sequence, " + std::to_string(s.sequence));
  check("vocabulary", std::to_string(s.vocabulary), s.vocabulary >= 2, "2 or more");
  check("held_out", to_text(s.held_out), s.held_out > 0 && s.held_out < 1,
        "a number above 0 and below 1");
  return s;
}

TaskSequences read_task(const TaskFile& file, const FilesSettings& settings,
                        SymbolCounter& counter) {
  const std::string bytes = read_file(file.path);
  const std::string_view text = checked_text(bytes, file.path);
  const Unit unit = unit_named(settings.unit);
  if (file.kind == FileKind::kJsonLines) return read_json_lines(text, file.path, unit, counter);
  return read_text(text, file.path, {unit, settings.sequence, settings.context}, counter);
}

std::optional<int> find_target(const std::string& name, const std::vector<std::string>& tasks) {
  if (name.empty()) return std::nullopt;
  const auto found = std::find(tasks.begin(), tasks.end(), name);
  if (found == tasks.end()) throw_unknown("files.target", name, tasks);
  return static_cast<int>(found - tasks.begin());
}

}  // namespace

Files::Files(const FilesSettings& settings) : unit_(unit_named(checked(settings).unit)) {
  const Manifest manifest = read_manifest(settings.path);
  for (const TaskFile& file : manifest.tasks) tasks_.push_back(file.name);
  target_ = find_target(settings.target.empty() ? manifest.target : settings.target, tasks_);
  read_tasks(manifest.tasks, settings);
  split_tasks(settings);
  data_.input = {.tokens = vocabulary_.size(), .bits = 0, .reals = 0};
  data_.output = {OutputKind::kSoftmax, vocabulary_.size()};
}

void Files::read_tasks(const std::vector<TaskFile>& list, const FilesSettings& settings) {
  SymbolCounter counter;
  for (const TaskFile& file : list) {
    task_data_.push_back({file, read_task(file, settings, counter), {}});
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
  return unit_ == Unit::kWord ? "word" : "character";
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
