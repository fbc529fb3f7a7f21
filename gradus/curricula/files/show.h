// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/core/batch.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::files {

/// Shows a sequence of read_text(): its context and its scored text, in quotes, with line ends as
/// \n.
std::string show_text(const Sequence& sequence, const Vocabulary& vocabulary, Unit unit);

/// Shows any sequence as a row of inputs above a row of targets, one column per step. A middle dot
/// means that there is nothing to read or nothing to score.
std::string show_pair(const Sequence& sequence, const Vocabulary& vocabulary);

}  // namespace gradus::files
