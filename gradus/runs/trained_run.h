// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gradus/curricula/data_reader.h"
#include "gradus/nn/cpu/network.h"
#include "gradus/runs/checkpoints.h"
#include "gradus/runs/run_record.h"
#include "gradus/runs/settings.h"

namespace gradus {

/// The network of a run, for use. All of it comes from the run's folder, so the data that the run
/// was trained on need not exist.
class TrainedRun {
 public:
  /// `which` is as in Checkpoints::load_network(). Throws InputError if there is no run, or no
  /// network. Calls `note` with warnings for the user.
  TrainedRun(const std::filesystem::path& folder, const std::string& which, int threads,
             const Note& note);

  const RunSettings& settings() const { return settings_; }
  const RunRecord& record() const { return record_; }
  const SavedNetwork& saved() const { return found_.network; }
  std::int64_t steps() const { return found_.steps; }
  bool is_best() const { return found_.is_best; }
  Network& network() { return network_; }
  /// Reads data for the network. Throws InputError if the curriculum reads none.
  std::unique_ptr<DataReader> make_reader() const;

  /// Losses and errors of any number of sequences, at least one.
  Evaluation evaluate(const std::vector<Sequence>& sequences);
  /// Losses and errors on `sequences` held-out sequences of one task. A pure function of its
  /// arguments, the run's seed and the weights. No evaluation of the run has drawn these sequences
  /// from a curriculum that generates them.
  Evaluation evaluate(const Curriculum& curriculum, int task, std::int64_t sequences);
  /// The most likely tokens at the scored steps of each sequence, which are in the same order.
  std::vector<std::vector<int>> answer(const std::vector<Questions>& questions);

 private:
  RunSettings settings_;
  RunRecord record_;
  FoundNetwork found_;
  Network network_;
};

}  // namespace gradus
