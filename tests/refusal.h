// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/core/error.h"

namespace gradus {

/// What the InputError says that an action throws; "accepted" if it throws none.
template <typename Action>
std::string refusal_of(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace gradus
