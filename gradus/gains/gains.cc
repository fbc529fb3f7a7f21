#include "gradus/gains/gains.h"

#include "gradus/core/error.h"

namespace gradus {

const std::vector<GainEntry>& gain_list() {
  static const std::vector<GainEntry> list = {
      {"pg", "prediction gain: the drop in loss on the batch just trained on"},
  };
  return list;
}

std::unique_ptr<Gain> make_gain(const std::string& name) {
  if (name == "pg") return make_pg();
  std::vector<std::string> names;
  for (const GainEntry& entry : gain_list()) names.push_back(entry.name);
  throw_unknown("gain", name, names);
}

}  // namespace gradus
