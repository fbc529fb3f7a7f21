// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>

#include "gradus/core/curriculum.h"
#include "gradus/core/setting.h"
#include "gradus/curricula/babi/encoding.h"
#include "gradus/curricula/babi/reader.h"
#include "gradus/curricula/babi/tasks.h"
#include "gradus/curricula/data_reader.h"

namespace gradus {

struct BabiSettings {
  babi::Variant variant = babi::Variant::kP;
  bool consistent = false;
  /// Empty: generate. With a folder, `variant` and `consistent` have no effect.
  std::string folder = "";
};
CurriculumEntry entry_of(const BabiSettings& settings);
std::vector<Setting> settings_of(BabiSettings& settings);
CurriculumDescription description_of(const BabiSettings& settings);
std::unique_ptr<Curriculum> make_curriculum(const BabiSettings& settings, const Note& note);
std::unique_ptr<DataReader> make_reader(const BabiSettings& settings,
                                        const std::vector<std::string>& vocabulary);

/// The twenty bAbI question-answering tasks (paper, section 4.3; Weston et al. 2015), in order,
/// without a target task. One sequence is one story, encoded as described in babi/encoding.h. The
/// answer to each question is a stretch of scored outputs, so Evaluation::error() is the fraction
/// of questions answered wrong.
///
/// Generated stories are drawn from the caller's random stream, for training and held-out batches
/// alike, and both variants share one vocabulary. With a folder, training draws from the train
/// files and held-out batches from the test files, with replacement, and the vocabulary has the
/// words of all files.
class Babi final : public Curriculum {
 public:
  /// Throws InputError if the folder's files are wrong.
  explicit Babi(const BabiSettings& settings);

  std::string_view name() const override { return "babi"; }
  const std::vector<std::string>& tasks() const override { return tasks_; }
  std::optional<int> target() const override { return std::nullopt; }
  const DataSpec& data() const override { return data_; }
  std::vector<std::string> vocabulary() const override { return vocabulary_.words(); }
  std::vector<DataSource> sources() const override;
  std::optional<double> floor(int /*task*/) const override { return 0; }
  /// A million per task as in the paper, or the number of training stories in the folder.
  double total_sequences() const override;
  Batch sample(int task, int count, Split split, Random& random) const override;
  /// Returns a training story in the dataset's text format.
  std::string describe(int task, Random& random) const override;
  /// The stories of a file follow each other without an empty line.
  std::string_view separator() const override { return "\n"; }
  /// babi::find_task(): by number or by name.
  int find_task(const std::string& name) const override { return babi::find_task(name); }
  CurriculumDescription description() const override { return description_of(BabiSettings()); }

 private:
  /// The official stories and their encoded sequences, by split and task.
  struct Files {
    babi::Dataset stories;
    std::array<std::vector<Sequence>, babi::kTaskCount> training;
    std::array<std::vector<Sequence>, babi::kTaskCount> held_out;
  };

  Sequence draw_sequence(int task, Split split, Random& random) const;
  void encode_files();

  babi::Rules rules_;
  std::unique_ptr<Files> files_;  // null if stories are generated
  babi::Vocabulary vocabulary_;
  DataSpec data_;
  std::vector<std::string> tasks_;
};

}  // namespace gradus
