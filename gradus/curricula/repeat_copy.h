// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gradus/core/curriculum.h"
#include "gradus/core/setting.h"

namespace gradus {

struct RepeatCopySettings {
  int max_length = 13;
  int max_repeats = 13;
  int bits = 8;
};
CurriculumEntry entry_of(const RepeatCopySettings& settings);
std::vector<Setting> settings_of(RepeatCopySettings& settings);
CurriculumDescription description_of(const RepeatCopySettings& settings);
std::unique_ptr<Curriculum> make_curriculum(const RepeatCopySettings& settings, const Note& note);

/// Repeat copy (paper, section 4.2; Graves, Wayne and Danihelka 2014): read L random bit vectors
/// and a number R, then write the vectors R times, then an end marker. There is one task for each L
/// in 1..max_length and R in 1..max_repeats, named "L,R". The target task is the one with the
/// largest L and R.
///
///   step            bits     start marker   count          scored output
///   0               0        1              0              -
///   1 .. L          pattern  0              0              -
///   L+1             0        0              standardised R -
///   L+2 .. L+1+L*R  0        0              0              the pattern, R times
///   last            0        0              0              end marker
///
/// The count is standardised over 1..max_repeats to mean 0 and variance 1. If max_repeats is 1, it
/// is 0.
class RepeatCopy final : public Curriculum {
 public:
  /// Throws InputError if a setting is out of range.
  explicit RepeatCopy(const RepeatCopySettings& settings);

  std::string_view name() const override { return "repeat-copy"; }
  const std::vector<std::string>& tasks() const override { return tasks_; }
  std::optional<int> target() const override { return static_cast<int>(tasks_.size()) - 1; }
  const DataSpec& data() const override { return data_; }
  std::optional<double> floor(int /*task*/) const override { return 0; }
  double total_sequences() const override;
  Batch sample(int task, int count, Split split, Random& random) const override;
  std::string describe(int task, Random& random) const override;
  CurriculumDescription description() const override { return description_of(settings_); }

  int length_of(int task) const { return task / settings_.max_repeats + 1; }
  int repeats_of(int task) const { return task % settings_.max_repeats + 1; }

 private:
  Sequence make_sequence(int length, int repeats, Random& random) const;

  RepeatCopySettings settings_;
  DataSpec data_;
  std::vector<std::string> tasks_;
};

}  // namespace gradus
