// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "gradus/core/curriculum.h"
#include "gradus/core/setting.h"
#include "gradus/curricula/data_reader.h"
#include "gradus/curricula/files/manifest.h"
#include "gradus/curricula/files/split.h"
#include "gradus/curricula/files/task_sequences.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus {

struct FilesSettings {
  std::string path{};  ///< files::read_manifest()
  files::Unit unit = files::Unit::kCharacter;
  int sequence = 150;
  int context = 50;
  int vocabulary = 10000;
  double held_out = 0.1;
  std::int64_t split_seed = 0;
  std::string target{};
};
CurriculumEntry entry_of(const FilesSettings& settings);
std::vector<Setting> settings_of(FilesSettings& settings);
CurriculumDescription description_of(const FilesSettings& settings);
std::unique_ptr<Curriculum> make_curriculum(const FilesSettings& settings, const Note& note);
std::unique_ptr<DataReader> make_reader(const FilesSettings& settings,
                                        const std::vector<std::string>& vocabulary);

/// A user's own data (docs/files.md), one task per file. A file is either a text, for language
/// modelling (files::read_text()), or JSON Lines with inputs and targets
/// (files::read_json_lines()). All tasks share one vocabulary, built from every symbol of the data:
/// inputs and targets, training and held out. Each sequence of a batch is drawn uniformly, with
/// replacement, from the task's training or held-out part.
class Files final : public Curriculum {
 public:
  /// Reads all files. Throws InputError naming the setting, or the file, the line and the reason.
  explicit Files(const FilesSettings& settings);

  std::string_view name() const override { return "files"; }
  const std::vector<std::string>& tasks() const override { return tasks_; }
  std::optional<int> target() const override { return target_; }
  const DataSpec& data() const override { return data_; }
  std::vector<std::string> vocabulary() const override { return vocabulary_.tokens(); }
  /// The .toml list, if there is one, and the file of each task, under the task's name.
  std::vector<DataSource> sources() const override { return sources_; }
  /// The unit setting for texts, empty for JSON Lines.
  std::string_view unit(int task) const override;
  /// Number of training sequences, over all tasks.
  double total_sequences() const override;
  Batch sample(int task, int count, Split split, Random& random) const override;
  std::string describe(int task, Random& random) const override;
  CurriculumDescription description() const override { return description_of(FilesSettings()); }

  const files::Parts& parts(int task) const { return task_data_[task].parts; }

 private:
  struct Task {
    files::TaskFile file;
    files::TaskSequences sequences;
    files::Parts parts;
  };
  void read_tasks(const std::vector<files::TaskFile>& list, const FilesSettings& settings);
  void split_tasks(const FilesSettings& settings);
  const std::vector<std::uint32_t>& part(int task, Split split) const;

  files::Unit unit_;
  std::vector<Task> task_data_;
  files::Vocabulary vocabulary_;
  std::vector<DataSource> sources_;
  std::vector<std::string> tasks_;
  std::optional<int> target_;
  DataSpec data_;
};

}  // namespace gradus
