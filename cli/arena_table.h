// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/report/arena.h"

namespace gradus::cli {

/// The arena as text: an arm per row, and its speed-up over uniform sampling in each column, with a
/// "+" if it is decidedly above 1 and a "-" if below.
std::string table_text(const report::Arena& arena);

}  // namespace gradus::cli
