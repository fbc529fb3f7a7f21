// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/babi/belief.h"

namespace gradus::babi {

const Belief::Entry& Belief::deciding(int place) const {
  if (entries_[place].truth != Truth::kUnknown) return entries_[place];
  for (const Entry& entry : entries_) {
    if (entry.truth == Truth::kTrue) return entry;
  }
  return entries_[place];
}

Truth Belief::truth(int place) const {
  const Entry& entry = deciding(place);
  return &entry != &entries_[place] ? Truth::kFalse : entry.truth;
}

std::vector<int> Belief::support(int place) const {
  if (truth(place) == Truth::kUnknown) return {either_line_};
  return deciding(place).support;
}

void Belief::is_in(int place, int line) {
  entries_ = {};
  entries_[place] = {Truth::kTrue, {line}};
  mentioned_ = true;
}

void Belief::infer(int from, int to, int line) {
  const Truth known = truth(from);
  if (known == Truth::kUnknown) return;
  Entry inferred{known == Truth::kTrue ? Truth::kFalse : Truth::kTrue, support(from)};
  inferred.support.push_back(line);
  if (inferred.truth == Truth::kTrue) {
    for (Entry& entry : entries_) {
      if (entry.truth == Truth::kTrue) entry = {};
    }
  }
  entries_[to] = std::move(inferred);
}

void Belief::is_either_in(int a, int b, int line) {
  infer(a, b, line);
  infer(b, a, line);
  for (int place = 0; place < kPlaceCount; ++place) {
    if (place != a && place != b) entries_[place] = {Truth::kFalse, {line}};
  }
  either_line_ = line;
  mentioned_ = true;
}

}  // namespace gradus::babi
