#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/learner.h"

namespace gradus {

/// All that a run needs to go on.
struct Checkpoint {
  std::int64_t steps = 0;
  LearnerState learner;
  nlohmann::json state;  ///< of everything else
};

/// The checkpoints of a run: folders named by steps, each with weights.safetensors, state.json and
/// SHA256SUMS, which `sha256sum -c` reads. A checkpoint is written beside the others, synced, and
/// then renamed to its name, so one that has its name is whole unless the disk damages it. The last
/// two are kept.
class Checkpoints {
 public:
  explicit Checkpoints(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Throws std::system_error where it cannot be written; those before it are as they were.
  void save(const Checkpoint& checkpoint) const;

  /// The newest one that is whole, or nothing where there is none. Tells `say` of each that is
  /// damaged and what is wrong with it.
  std::optional<Checkpoint> load(const std::function<void(const std::string&)>& say) const;

  /// Removes those of more than `newest` steps, which a run that goes on from there will write
  /// anew, all but the last two of the others, and what an interrupted save left.
  void tidy(std::int64_t newest) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gradus
