// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gradus::cli {

using Row = std::vector<std::string>;

/// The rows as aligned columns, one line each. Leaves out columns that are empty in every row.
std::string aligned(const std::vector<Row>& rows);

}  // namespace gradus::cli
