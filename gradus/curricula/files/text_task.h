#pragma once

#include <string>
#include <string_view>

#include "gradus/curricula/files/task_sequences.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::files {

struct TextSettings {
  Unit unit = Unit::kCharacter;
  int sequence = 150;  ///< symbols of a sequence, > context
  int context = 50;    ///< symbols at its start that are not scored
};

/// A text as language modelling: disjoint sequences of `sequence` symbols, in order; what is left
/// at the end is a shorter one where it has more than `context` symbols, else it is not used. Step
/// t reads symbol t-1 (nothing at step 0) and must predict symbol t, scored from t = context on.
///
/// `text` is valid UTF-8. Throws InputError naming `file` where it makes fewer than two sequences.
TaskSequences read_text(std::string_view text, const std::string& file,
                        const TextSettings& settings, SymbolCounter& counter);

}  // namespace gradus::files
