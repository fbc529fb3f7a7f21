// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/batch.h"

namespace gradus {

/// A user's data, encoded for a network.
struct EncodedData {
  std::vector<Sequence> sequences;
  std::string unit;          ///< as Curriculum::unit()
  std::int64_t symbols = 0;  ///< symbols read
  std::int64_t unknown = 0;  ///< those of them that are not in the vocabulary
};

/// A sequence that asks for answers: one token at each scored step. Targets are arbitrary.
struct Questions {
  Sequence sequence;
  std::vector<int> ends;  ///< the steps with the last token of each answer, ascending
  std::string separator;  ///< between the tokens of an answer
};

/// Reads a user's data as a curriculum reads its own, with the vocabulary of a trained network. The
/// curriculum's data are not needed. All functions throw InputError, naming the file and the line,
/// if data are malformed, or if a symbol is unknown and the vocabulary has no token for unknown
/// symbols.
class DataReader {
 public:
  virtual ~DataReader() = default;

  /// Reads all sequences of a file, with their targets. `file` names the bytes in messages; its
  /// extension may tell the format.
  virtual EncodedData read(std::string_view bytes, const std::string& file) const = 0;

  /// The tokens of a text to continue. Adds to `unknown`. Throws if the curriculum has no texts.
  virtual std::vector<std::int32_t> read_prompt(std::string_view text,
                                                std::int64_t& unknown) const = 0;
  /// What separates the symbols of a text: nothing, or a space between words.
  virtual std::string_view separator() const { return ""; }

  /// Reads questions, whose answers need not be given. Adds to `unknown`. Throws if the curriculum
  /// has no answers.
  virtual std::vector<Questions> read_questions(std::string_view bytes, const std::string& file,
                                                std::int64_t& unknown) const = 0;
};

}  // namespace gradus
