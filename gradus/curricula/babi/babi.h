#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>

#include "gradus/core/curriculum.h"
#include "gradus/curricula/babi/encoding.h"
#include "gradus/curricula/babi/reader.h"
#include "gradus/curricula/babi/tasks.h"

namespace gradus {

struct BabiSettings {
  std::string variant = "P";  ///< "P" or "H": which version of the public generator (tasks.h)
  bool consistent = false;    ///< mend the inverted answers of tasks 17 and 19
  /// Official files (qaN_*_train.txt, qaN_*_test.txt) in place of the generator; empty for none.
  /// The two settings above then say nothing.
  std::string folder = "";
};

/// The twenty bAbI question-answering tasks (paper, section 4.3; Weston et al. 2015), one task of
/// the curriculum each, no target. One sequence is one story, encoded as babi/encoding.h says; each
/// question is one answer, a run of scored outputs, so that Evaluation::error() is the share of
/// questions answered wrong.
///
/// Generated stories are drawn from the caller's random stream, in training and held out alike, and
/// share one vocabulary in both variants. With a folder, training draws with replacement from the
/// train files, held-out batches from the test files, and the vocabulary is that of all files.
class Babi final : public Curriculum {
 public:
  /// Throws InputError where the variant is unknown or the folder's files are wrong.
  explicit Babi(const BabiSettings& settings);

  std::string_view name() const override { return "babi"; }
  const std::vector<std::string>& tasks() const override { return tasks_; }
  std::optional<int> target() const override { return std::nullopt; }
  const DataSpec& data() const override { return data_; }
  /// The paper's million a task, or the number of training stories in the folder.
  double total_sequences() const override;
  Batch sample(int task, int count, Split split, Random& random) const override;
  /// A training story in the dataset's text format.
  std::string describe(int task, Random& random) const override;

  /// Writes `count` training stories of a task in the dataset's text format. Story i is a pure
  /// function of (seed, task, i).
  void write_stories(int task, std::int64_t count, std::uint64_t seed, std::ostream& out) const;

  const babi::Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  /// The official stories and what a network sees of them, by split and task.
  struct Files {
    babi::Dataset stories;
    std::array<std::vector<Sequence>, babi::kTaskCount> training;
    std::array<std::vector<Sequence>, babi::kTaskCount> held_out;
  };

  Sequence draw_sequence(int task, Split split, Random& random) const;
  void encode_files();

  babi::Rules rules_;
  std::unique_ptr<Files> files_;  // null where stories are generated
  babi::Vocabulary vocabulary_;
  DataSpec data_;
  std::vector<std::string> tasks_;
};

}  // namespace gradus
