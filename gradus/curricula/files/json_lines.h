// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gradus/curricula/files/task_sequences.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::files {

/// Reads JSON Lines, one sequence per line: {"input": ..., "target": ...}. Other keys are ignored
/// and blank lines are skipped. Input and target are each a string, which `unit` splits into
/// symbols, or an array. An array entry is a string (one token), an integer (the token of its
/// decimal digits) or null (nothing to read, or nothing to score, at this step).
///
/// Targets are aligned with the end of the input: with T inputs and n targets, step T - n + i must
/// predict target i. If n = T there is one target per step; a shorter target is scored at the last
/// n steps.
///
/// REQUIRES `text` to be valid UTF-8. Throws InputError naming `file`, the line and the reason if a
/// line has another form, a target is longer than its input or scores nothing, or there are fewer
/// than two sequences.
TaskSequences read_json_lines(std::string_view text, const std::string& file, Unit unit,
                              SymbolCounter& counter);

}  // namespace gradus::files
