// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/core/curriculum.h"
#include "gradus/core/learner.h"
#include "gradus/runs/network_file.h"

namespace gradus {

/// A network after some number of steps.
struct NetworkAt {
  std::int64_t steps = 0;
  std::vector<Tensor> tensors;  ///< network_size() tensors of a LearnerState
};

/// Everything needed to continue a run.
struct Checkpoint {
  std::int64_t steps = 0;
  LearnerState learner;
  nlohmann::json state;                   ///< everything but the learner
  DataSpec data{};                        ///< what the network reads and predicts
  std::vector<std::string> vocabulary{};  ///< Curriculum::vocabulary()
  /// The network with the lowest held-out loss, or null if none was measured in this process.
  std::shared_ptr<const NetworkAt> best{};
};

/// A network of a checkpoint, for use.
struct FoundNetwork {
  SavedNetwork network;
  std::int64_t steps = 0;
  bool is_best = false;
};

/// The checkpoints of a run: one folder per checkpoint, named by its steps. step-* holds the
/// network (weights.safetensors), the rest of the learner (training.safetensors), state.json and
/// SHA256SUMS (readable by `sha256sum -c`); the last two are kept. best-* holds the network with
/// the lowest held-out loss. A folder is written under a temporary name, synced, and then renamed,
/// so a folder with its final name is complete unless the disk is damaged.
class Checkpoints {
 public:
  explicit Checkpoints(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Throws std::system_error if the checkpoint cannot be written; existing checkpoints are
  /// unchanged.
  void save(const Checkpoint& checkpoint) const;

  /// The newest undamaged checkpoint, or nothing if there is none. Calls `note` for each damaged
  /// one, with what is wrong.
  std::optional<Checkpoint> load(const Note& note) const;

  /// A network to use. `which` is "best", "last", or empty: the best if there is one, otherwise the
  /// last. Calls `note` for each damaged one that is skipped. Works while the run is training.
  /// Throws InputError if there is none.
  FoundNetwork load_network(const std::string& which, const Note& note) const;

  /// Removes checkpoints with more than `newest` steps (a run that continues from there writes them
  /// again), all but the last two of the others, and what an interrupted save left behind. Of the
  /// best networks it keeps the last, even if it has more steps: the run would find it again. If
  /// `newest` is negative, nothing is left.
  void tidy(std::int64_t newest) const;

 private:
  void remove_old() const;

  std::filesystem::path folder_;
};

}  // namespace gradus
