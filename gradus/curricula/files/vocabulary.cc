// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/vocabulary.h"

#include <algorithm>
#include <numeric>

#include "gradus/files/utf8.h"

namespace gradus::files {
namespace {

constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";

}  // namespace

const char* name_of(Unit unit) {
  return unit == Unit::kWord ? "word" : "character";
}

void for_each_symbol(std::string_view text, Unit unit,
                     const std::function<void(std::string_view)>& take) {
  while (!text.empty()) {
    std::size_t bytes = 0;
    if (unit == Unit::kCharacter) {
      bytes = code_point_bytes(text);
    } else {
      text.remove_prefix(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
      bytes = std::min(text.find_first_of(kWhiteSpace), text.size());
    }
    if (bytes == 0) return;
    take(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
}

SymbolCounter::SymbolCounter() : symbols_{std::string(kUnknown)}, counts_{0} {
  numbers_.emplace(kUnknown, 0);
}

std::int32_t SymbolCounter::met(std::string_view symbol) {
  auto found = numbers_.find(symbol);
  if (found == numbers_.end()) {
    found = numbers_.emplace(symbol, static_cast<std::int32_t>(symbols_.size())).first;
    symbols_.emplace_back(symbol);
    counts_.push_back(0);
  }
  ++counts_[found->second];
  return found->second;
}

Vocabulary::Vocabulary(const SymbolCounter& counter, int cap) {
  const std::vector<std::int64_t>& counts = counter.counts_;
  std::vector<std::int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin() + 1, order.end(), [&](std::int32_t a, std::int32_t b) {
    if (counts[a] != counts[b]) return counts[a] > counts[b];
    return counter.symbols_[a] < counter.symbols_[b];
  });
  met_ = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  unknown_ = met_;
  order.resize(std::min<std::size_t>(order.size(), cap));
  token_of_.assign(counts.size(), 0);
  for (const std::int32_t number : order) {
    token_of_[number] = size();
    tokens_.push_back(counter.symbols_[number]);
    if (number != 0) unknown_ -= counts[number];
  }
}

Vocabulary::Vocabulary(std::vector<std::string> tokens, const SymbolCounter& counter)
    : tokens_(std::move(tokens)) {
  token_of_.assign(counter.symbols_.size(), 0);
  for (int token = 1; token < size(); ++token) {
    const auto found = counter.numbers_.find(tokens_[token]);
    if (found != counter.numbers_.end()) token_of_[found->second] = token;
  }
  for (std::size_t number = 0; number < counter.counts_.size(); ++number) {
    met_ += counter.counts_[number];
    if (token_of_[number] == 0) unknown_ += counter.counts_[number];
  }
}

}  // namespace gradus::files
