// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gradus/core/gain.h"

namespace gradus {

/// The sign of the gradient complexity gains gvcg and gl2g: as the paper derives it, or as it
/// prints it.
enum class Sign { kDerived, kPrinted };

/// Throws InputError unless `name` is "derived" or "printed".
Sign parse_sign(const std::string& name);

/// All gains: name and one-line summary.
struct GainEntry {
  std::string name;
  std::string summary;
};
const std::vector<GainEntry>& gain_list();

/// Throws InputError for an unknown name. Only gvcg and gl2g read the sign.
std::unique_ptr<Gain> make_gain(const std::string& name, Sign sign = Sign::kDerived);

std::unique_ptr<Gain> make_pg();
std::unique_ptr<Gain> make_gpg();
std::unique_ptr<Gain> make_spg();
std::unique_ptr<Gain> make_tpg();
std::unique_ptr<Gain> make_mpg();
std::unique_ptr<Gain> make_vcg();
std::unique_ptr<Gain> make_gvcg(Sign sign);
std::unique_ptr<Gain> make_l2g();
std::unique_ptr<Gain> make_gl2g(Sign sign);

}  // namespace gradus
