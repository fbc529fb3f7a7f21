#pragma once

#include <string>

#include "gradus/core/batch.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::files {

/// A sequence of read_text() as its context and its scored text, in quotes, line ends as \n.
std::string show_text(const Sequence& sequence, const Vocabulary& vocabulary, Unit unit);

/// Any sequence as a row of inputs over a row of targets, a column a step, with a middle dot where
/// there is nothing to read or to score.
std::string show_pair(const Sequence& sequence, const Vocabulary& vocabulary);

}  // namespace gradus::files
