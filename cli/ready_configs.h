// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace gradus::cli {

/// The files of configs/ at build time, by name: "paper/babi".
const std::map<std::string, std::string>& ready_configs();

}  // namespace gradus::cli
