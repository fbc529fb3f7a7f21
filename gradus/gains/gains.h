#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gradus/core/gain.h"

namespace gradus {

/// The gains by name, with a line on each.
struct GainEntry {
  std::string name;
  std::string summary;
};
const std::vector<GainEntry>& gain_list();

/// Throws InputError for an unknown name.
std::unique_ptr<Gain> make_gain(const std::string& name);

std::unique_ptr<Gain> make_pg();

}  // namespace gradus
