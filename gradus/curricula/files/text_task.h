// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gradus/curricula/files/task_sequences.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::files {

struct TextSettings {
  Unit unit = Unit::kCharacter;
  int sequence = 150;  ///< symbols per sequence, > context
  int context = 50;    ///< unscored symbols at the start of each sequence
};

/// Reads a text for language modelling. The text is cut into consecutive sequences of `sequence`
/// symbols. The rest at the end becomes a shorter sequence if it has more than `context` symbols;
/// otherwise it is not used. Step t reads symbol t-1 (nothing at step 0) and must predict symbol t,
/// which is scored from t = context on.
///
/// REQUIRES `text` to be valid UTF-8. Throws InputError naming `file` if there are fewer
/// than `least` sequences: a task needs two, one of them to hold out.
TaskSequences read_text(std::string_view text, const std::string& file,
                        const TextSettings& settings, SymbolCounter& counter,
                        std::size_t least = 2);

}  // namespace gradus::files
