// SPDX-License-Identifier: Apache-2.0
#include "gradus/gains/gains.h"

#include "gradus/core/error.h"

namespace gradus {
namespace {

class MeasuredGain final : public Gain {
 public:
  MeasuredGain(std::string name, const Needs& needs,
               std::function<double(const Measurements&)> progress)
      : name_(std::move(name)), needs_(needs), progress_(std::move(progress)) {}
  std::string_view name() const override { return name_; }
  Needs needs() const override { return needs_; }
  double progress(const std::string&, const Measurements& m) override { return progress_(m); }

 private:
  std::string name_;
  Needs needs_;
  std::function<double(const Measurements&)> progress_;
};

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
  static const std::vector<GainEntry> list = {
      {"pg", "prediction gain: the drop in loss on the batch just trained on", {}, make_pg},
      {"gpg", "gradient prediction gain: the squared norm of the gradient", {}, make_gpg},
      {"spg",
       "self prediction gain: the drop in loss on a second batch of the same task",
       {},
       make_spg},
      {"tpg",
       "target prediction gain: the drop in loss on a batch of the target task",
       {},
       make_tpg},
      {"mpg", "mean prediction gain: the drop in loss on a batch of a random task", {}, make_mpg},
      {"vcg",
       "variational complexity gain: the growth of the KL divergence (objective vi)",
       {},
       make_vcg},
      {"gvcg",
       "gradient variational complexity gain: first-order approximation of vcg (objective vi)",
       {"sign"},
       make_gvcg},
      {"l2g", "L2 gain: the growth of the squared weight norm (objective l2)", {}, make_l2g},
      {"gl2g",
       "gradient L2 gain: first-order approximation of l2g (objective l2)",
       {"sign"},
       make_gl2g},
      {"lsg",
       "loss slope gain: how fast the task's own training loss falls from visit to visit",
       {"slope.window", "slope.errors"},
       make_lsg},
      {"alsg",
       "absolute loss slope gain: how fast the task's own training loss falls or rises",
       {"slope.window", "slope.errors"},
       make_alsg},
      {"hsg",
       "held-out slope gain: how fast the task's loss on held-out data falls",
       {"slope.window", "slope.errors"},
       make_hsg},
      {"hpg",
       "held-out prediction gain: the drop in loss on a held-out batch of the same task",
       {},
       make_hpg},
      {"gspg", "gradient self prediction gain: first-order approximation of spg", {}, make_gspg},
      {"gtpg", "gradient target prediction gain: first-order approximation of tpg", {}, make_gtpg},
      {"gmpg", "gradient mean prediction gain: first-order approximation of mpg", {}, make_gmpg},
      {"xl",
       "excess loss: the loss above the smallest that is possible",
       {"excess.floor"},
       make_xl},
      {"lrn",
       "learnability: p (1 - p) for tasks whose answers are right with probability p",
       {},
       make_lrn},
  };
  return list;
}

std::unique_ptr<Gain> measured_gain(std::string name, const Needs& needs,
                                    std::function<double(const Measurements&)> progress) {
  return std::make_unique<MeasuredGain>(std::move(name), needs, std::move(progress));
}

std::unique_ptr<Gain> make_gain(const std::string& name, const GainSettings& settings) {
  std::vector<std::unique_ptr<Gain>> gains;
  for (const std::string& signal : signals_of(name)) {
    gains.push_back(find_entry("gain", signal, gain_list()).make(checked(settings)));
  }
  return gains.size() == 1 ? std::move(gains.front()) : make_signals(name, std::move(gains));
}

}  // namespace gradus
