// SPDX-License-Identifier: Apache-2.0
#include "gradus/gains/gains.h"

#include "gradus/core/error.h"

namespace gradus {
namespace {

const GainEntry& entry_of(const std::string& name) {
  std::vector<std::string> names;
  for (const GainEntry& entry : gain_list()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw_unknown("gain", name, names);
}

}  // namespace

std::vector<Setting> settings_of(GainSettings& s) {
  return {
      {.key = "sign",
       .help = "sign of gvcg and gl2g: \"derived\" or as \"printed\" in the paper",
       .value = EnumValue(&s.sign),
       .choices = {"derived", "printed"}},
      {"slope.window",
       "lsg, alsg, hsg: visits of a task over which the slope of its loss is taken",
       &s.window,
       {4, 10000}},
      {"slope.errors",
       "lsg, alsg, hsg: standard errors within which a slope counts as 0; a larger one is shrunk",
       &s.errors,
       {0, 100}},
      {"excess.floor",
       "xl: smallest possible loss per output, in nats: one number for all tasks or one per task; "
       "[] means what the curriculum knows",
       &s.floor,
       {-1e6, 1e6}},
  };
}

const std::vector<GainEntry>& gain_list() {
  using Settings = const GainSettings&;
  static const std::vector<GainEntry> list = {
      {"pg",
       "prediction gain: the drop in loss on the batch just trained on",
       {},
       [](Settings) { return make_pg(); }},
      {"gpg",
       "gradient prediction gain: the squared norm of the gradient",
       {},
       [](Settings) { return make_gpg(); }},
      {"spg",
       "self prediction gain: the drop in loss on a second batch of the same task",
       {},
       [](Settings) { return make_spg(); }},
      {"tpg",
       "target prediction gain: the drop in loss on a batch of the target task",
       {},
       [](Settings) { return make_tpg(); }},
      {"mpg",
       "mean prediction gain: the drop in loss on a batch of a random task",
       {},
       [](Settings) { return make_mpg(); }},
      {"vcg",
       "variational complexity gain: the growth of the KL divergence (objective vi)",
       {},
       [](Settings) { return make_vcg(); }},
      {"gvcg",
       "gradient variational complexity gain: first-order approximation of vcg (objective vi)",
       {"sign"},
       [](Settings s) { return make_gvcg(s.sign); }},
      {"l2g",
       "L2 gain: the growth of the squared weight norm (objective l2)",
       {},
       [](Settings) { return make_l2g(); }},
      {"gl2g",
       "gradient L2 gain: first-order approximation of l2g (objective l2)",
       {"sign"},
       [](Settings s) { return make_gl2g(s.sign); }},
      {"lsg",
       "loss slope gain: how fast the task's own training loss falls from visit to visit",
       {"slope.window", "slope.errors"},
       [](Settings s) { return make_lsg(s.window, s.errors); }},
      {"alsg",
       "absolute loss slope gain: how fast the task's own training loss falls or rises",
       {"slope.window", "slope.errors"},
       [](Settings s) { return make_alsg(s.window, s.errors); }},
      {"hsg",
       "held-out slope gain: how fast the task's loss on held-out data falls",
       {"slope.window", "slope.errors"},
       [](Settings s) { return make_hsg(s.window, s.errors); }},
      {"hpg",
       "held-out prediction gain: the drop in loss on a held-out batch of the same task",
       {},
       [](Settings) { return make_hpg(); }},
      {"gspg",
       "gradient self prediction gain: first-order approximation of spg",
       {},
       [](Settings) { return make_gspg(); }},
      {"gtpg",
       "gradient target prediction gain: first-order approximation of tpg",
       {},
       [](Settings) { return make_gtpg(); }},
      {"gmpg",
       "gradient mean prediction gain: first-order approximation of mpg",
       {},
       [](Settings) { return make_gmpg(); }},
      {"xl",
       "excess loss: the loss above the smallest that is possible",
       {"excess.floor"},
       [](Settings s) { return make_xl(s.floors); }},
      {"lrn",
       "learnability: p (1 - p) for tasks whose answers are right with probability p",
       {},
       [](Settings) { return make_lrn(); }},
  };
  return list;
}

std::unique_ptr<Gain> make_gain(const std::string& name, const GainSettings& settings) {
  std::vector<std::unique_ptr<Gain>> gains;
  for (const std::string& signal : signals_of(name)) {
    gains.push_back(entry_of(signal).make(checked(settings)));
  }
  return gains.size() == 1 ? std::move(gains.front()) : make_signals(name, std::move(gains));
}

}  // namespace gradus
