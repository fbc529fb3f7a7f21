// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "gradus/serve/folders.h"

namespace gradus::serve {

/// Everything that the page shows of a single run: settings, events, log, and the policy and the
/// losses of its tasks at the last evaluations. docs/serve.md lists the fields. Throws InputError
/// or DatabaseError if the run cannot be read.
nlohmann::ordered_json details_of(const std::filesystem::path& run, const Folders& folders);

}  // namespace gradus::serve
