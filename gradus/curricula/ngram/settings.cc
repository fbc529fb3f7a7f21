#include "gradus/curricula/ngram/settings.h"

#include <limits>

#include "gradus/core/error.h"
#include "gradus/curricula/ngram/counts.h"

namespace gradus {
namespace {

void check_range(const char* key, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return;
  throw InputError(std::string("ngram.") + key + " is " + std::to_string(value) + ", expected " +
                   std::to_string(low) + ".." + std::to_string(high));
}

}  // namespace

void check(const NgramSettings& settings) {
  check_range("max_order", settings.max_order, 0, NgramCounts::kMaxOrder);
  // The upper bound keeps a data set well within one random stream.
  check_range("characters", settings.characters, 1, 100'000'000);
  check_range("sequence", settings.sequence, 1, settings.characters);
  check_range("data_seed", settings.data_seed, 0, std::numeric_limits<std::int64_t>::max());
  check_range("context", settings.context, 0, settings.sequence - 1);
}

}  // namespace gradus
