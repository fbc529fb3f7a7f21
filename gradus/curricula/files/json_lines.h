#pragma once

#include <string>
#include <string_view>

#include "gradus/curricula/files/task_sequences.h"
#include "gradus/curricula/files/vocabulary.h"

namespace gradus::files {

/// JSON Lines, one sequence a line: {"input": ..., "target": ...}, other keys are ignored, blank
/// lines skipped. Each of the two is a string, split into symbols by `unit`, or an array whose
/// entries are a string (one token), an integer (the token of its decimal digits) or null (nothing
/// to read, or nothing to score, at this step).
///
/// A target lies at the end of its input: with T inputs and n targets, step T - n + i must predict
/// target i. So n = T is one target a step, and a shorter target is scored at the last n steps.
///
/// `text` is valid UTF-8. Throws InputError naming `file`, the line and the reason where a line is
/// something else, a target is longer than its input, nothing in it is scored, or there are fewer
/// than two sequences.
TaskSequences read_json_lines(std::string_view text, const std::string& file, Unit unit,
                              SymbolCounter& counter);

}  // namespace gradus::files
