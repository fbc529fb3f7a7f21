// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/learner.h"

namespace gradus {

/// Everything needed to continue a run.
struct Checkpoint {
  std::int64_t steps = 0;
  LearnerState learner;
  nlohmann::json state;  ///< everything but the learner
};

/// The checkpoints of a run: one folder per checkpoint, named by its steps, with
/// weights.safetensors, state.json and SHA256SUMS (readable by `sha256sum -c`). A checkpoint is
/// written under a temporary name, synced, and then renamed, so a folder with its final name is
/// complete unless the disk is damaged. Only the last two are kept.
class Checkpoints {
 public:
  explicit Checkpoints(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Throws std::system_error if the checkpoint cannot be written; existing checkpoints are
  /// unchanged.
  void save(const Checkpoint& checkpoint) const;

  /// The newest undamaged checkpoint, or nothing if there is none. Calls `say` for each damaged
  /// one, with what is wrong.
  std::optional<Checkpoint> load(const std::function<void(const std::string&)>& say) const;

  /// Removes checkpoints with more than `newest` steps (a run that continues from there writes them
  /// again), all but the last two of the others, and what an interrupted save left behind.
  void tidy(std::int64_t newest) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gradus
