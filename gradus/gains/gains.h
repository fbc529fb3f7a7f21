// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gradus/core/gain.h"
#include "gradus/core/setting.h"

namespace gradus {

/// The sign of the gradient complexity gains gvcg and gl2g: as the paper derives it, or as it
/// prints it.
enum class Sign { kDerived, kPrinted };

/// Settings of all gains. Each gain reads only its own.
struct GainSettings {
  Sign sign = Sign::kDerived;
  // lsg, alsg, hsg
  int window = 10;    ///< visits of a task over which the slope is taken
  double errors = 2;  ///< standard errors within which a slope counts as 0
  // xl: the smallest loss per output, in nats
  std::vector<double> floor = {};             ///< as given: for all tasks, or one per task
  std::map<std::string, double> floors = {};  ///< of each task; the gain reads only these
};
/// All settings but `floors`, which follow from `floor` or from the curriculum.
std::vector<Setting> settings_of(GainSettings& settings);

/// All gains: name, one-line summary, the keys of the settings that each reads, and how it is made.
struct GainEntry {
  std::string name;
  std::string summary;
  std::vector<std::string> settings;
  std::unique_ptr<Gain> (*make)(const GainSettings& settings);
};
const std::vector<GainEntry>& gain_list();

/// The signals that the name of a gain lists: "hsg" and "pg" for "hsg:pg", one for other gains.
std::vector<std::string> signals_of(const std::string& gain);

/// Makes a gain, or one of several signals (signals_of()). Throws InputError for an unknown name, a
/// setting out of range, or signals that need different probes.
std::unique_ptr<Gain> make_gain(const std::string& name, const GainSettings& settings = {});

/// A gain of several signals, called `name`. Throws InputError if they need different probes.
std::unique_ptr<Gain> make_signals(const std::string& name,
                                   std::vector<std::unique_ptr<Gain>> gains);

/// A gain that remembers nothing: its progress is a function of the measurements that it needs.
std::unique_ptr<Gain> measured_gain(std::string name, const Needs& needs,
                                    std::function<double(const Measurements&)> progress);

std::unique_ptr<Gain> make_pg(const GainSettings& settings);
std::unique_ptr<Gain> make_gpg(const GainSettings& settings);
std::unique_ptr<Gain> make_spg(const GainSettings& settings);
std::unique_ptr<Gain> make_tpg(const GainSettings& settings);
std::unique_ptr<Gain> make_mpg(const GainSettings& settings);
std::unique_ptr<Gain> make_vcg(const GainSettings& settings);
std::unique_ptr<Gain> make_gvcg(const GainSettings& settings);
std::unique_ptr<Gain> make_l2g(const GainSettings& settings);
std::unique_ptr<Gain> make_gl2g(const GainSettings& settings);
std::unique_ptr<Gain> make_lsg(const GainSettings& settings);
std::unique_ptr<Gain> make_alsg(const GainSettings& settings);
std::unique_ptr<Gain> make_hsg(const GainSettings& settings);
std::unique_ptr<Gain> make_hpg(const GainSettings& settings);
std::unique_ptr<Gain> make_gspg(const GainSettings& settings);
std::unique_ptr<Gain> make_gtpg(const GainSettings& settings);
std::unique_ptr<Gain> make_gmpg(const GainSettings& settings);
std::unique_ptr<Gain> make_xl(const GainSettings& settings);
std::unique_ptr<Gain> make_lrn(const GainSettings& settings);

}  // namespace gradus
