#pragma once

#include <map>
#include <string>

namespace gradus::cli {

/// The files of configs/ as they were when the program was built, by name: "paper/babi".
const std::map<std::string, std::string>& ready_configs();

}  // namespace gradus::cli
