// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <vector>

#include "gradus/core/curriculum.h"
#include "gradus/core/setting.h"

namespace gradus {

/// What `gradus data NAME` does for one curriculum.
struct SampleCommand {
  /// The options of the command line, besides the seed. Their values belong to `run`. If a default
  /// is out of range, the help says what it means.
  std::vector<Setting> options;
  /// Writes samples. Throws InputError.
  std::function<void(std::uint64_t seed, std::ostream& out)> run;
};

/// Writes sequences of one task of the curriculum that `make` makes.
SampleCommand sample_sequences(std::function<std::unique_ptr<Curriculum>()> make);

}  // namespace gradus
