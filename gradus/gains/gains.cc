// SPDX-License-Identifier: Apache-2.0
#include "gradus/gains/gains.h"

#include <functional>

#include "gradus/core/error.h"

namespace gradus {
namespace {

struct Row {
  const char* name;
  const char* summary;
  std::function<std::unique_ptr<Gain>(Sign)> make;
};

const std::vector<Row>& table() {
  static const std::vector<Row> rows = {
      {"pg", "prediction gain: the drop in loss on the batch just trained on",
       [](Sign) { return make_pg(); }},
      {"gpg", "gradient prediction gain: the squared norm of the gradient",
       [](Sign) { return make_gpg(); }},
      {"spg", "self prediction gain: the drop in loss on a second batch of the same task",
       [](Sign) { return make_spg(); }},
      {"tpg", "target prediction gain: the drop in loss on a batch of the target task",
       [](Sign) { return make_tpg(); }},
      {"mpg", "mean prediction gain: the drop in loss on a batch of a random task",
       [](Sign) { return make_mpg(); }},
      {"vcg", "variational complexity gain: the growth of the KL divergence (objective vi)",
       [](Sign) { return make_vcg(); }},
      {"gvcg",
       "gradient variational complexity gain: first-order approximation of vcg (objective vi)",
       make_gvcg},
      {"l2g", "L2 gain: the growth of the squared weight norm (objective l2)",
       [](Sign) { return make_l2g(); }},
      {"gl2g", "gradient L2 gain: first-order approximation of l2g (objective l2)", make_gl2g},
  };
  return rows;
}

}  // namespace

Sign parse_sign(const std::string& name) {
  if (name == "derived") return Sign::kDerived;
  if (name == "printed") return Sign::kPrinted;
  const std::vector<std::string> names = {"derived", "printed"};
  throw_unknown("sign", name, names);
}

const std::vector<GainEntry>& gain_list() {
  static const std::vector<GainEntry> list = [] {
    std::vector<GainEntry> entries;
    for (const Row& row : table()) entries.push_back({row.name, row.summary});
    return entries;
  }();
  return list;
}

std::unique_ptr<Gain> make_gain(const std::string& name, Sign sign) {
  std::vector<std::string> names;
  for (const Row& row : table()) {
    if (name == row.name) return row.make(sign);
    names.emplace_back(row.name);
  }
  throw_unknown("gain", name, names);
}

}  // namespace gradus
