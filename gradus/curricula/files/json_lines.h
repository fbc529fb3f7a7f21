// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
/// than `least` sequences: a task needs two, one of them to hold out.
TaskSequences read_json_lines(std::string_view text, const std::string& file, Unit unit,
                              SymbolCounter& counter, std::size_t least = 2);

/// Reads questions: the same lines, but "target" only says where answers are due, and may also be
/// the number of the last steps at which they are. Without it, they are due from the last step that
/// reads something. Targets of the sequences are arbitrary. `strings` tells for each sequence
/// whether its input is a string. Throws as read_json_lines().
TaskSequences read_json_questions(std::string_view text, const std::string& file, Unit unit,
                                  SymbolCounter& counter, std::vector<bool>& strings);

}  // namespace gradus::files
