// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/counts.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "gradus/curricula/ngram/bytes.h"

namespace gradus {
namespace {

// Returns the positions of the text sorted by the `depth` characters that start there. A counting
// sort for each character, from the last to the first. The end of the text sorts before any
// character.
std::vector<std::uint32_t> sorted_positions(std::span<const Symbol> text, int alphabet_size,
                                            int depth) {
  std::vector<std::uint32_t> sorted(text.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::vector<std::uint32_t> next(text.size());
  for (int offset = depth - 1; offset >= 0; --offset) {
    const auto key = [&](std::size_t position) {
      return position + offset < text.size() ? text[position + offset] + 1u : 0u;
    };
    std::vector<std::uint32_t> start(alphabet_size + 2);
    for (std::size_t position = 0; position < text.size(); ++position) ++start[key(position) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (const std::uint32_t position : sorted) next[start[key(position)]++] = position;
    sorted.swap(next);
  }
  return sorted;
}

int common_prefix(std::span<const Symbol> a, std::span<const Symbol> b) {
  return static_cast<int>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

double discount(const std::vector<std::uint32_t>& counts) {
  const auto ones = static_cast<double>(std::count(counts.begin(), counts.end(), 1u));
  const auto twos = static_cast<double>(std::count(counts.begin(), counts.end(), 2u));
  return ones > 0 ? ones / (ones + 2 * twos) : 0.0;
}

// Whether a level from from_bytes() is consistent. `children` is the number of (k+1)-grams.
bool well_formed(const NgramLevel& level, std::uint32_t children, int alphabet_size) {
  return level.count.size() == level.last.size() &&
         level.children.size() == level.last.size() + 1 && level.children.front() == 0 &&
         level.children.back() == children && std::ranges::is_sorted(level.children) &&
         std::ranges::count(level.count, 0u) == 0 &&
         std::ranges::all_of(level.last, [&](Symbol symbol) { return symbol < alphabet_size; });
}

// Whether the children of each k-gram differ, are in order, and occur no more often than it does.
bool fits_children(const NgramLevel& level, const NgramLevel& below) {
  for (std::uint32_t id = 0; id < level.size(); ++id) {
    std::uint64_t total = 0;
    for (std::uint32_t next = level.children[id]; next < level.children[id + 1]; ++next) {
      if (next > level.children[id] && below.last[next - 1] >= below.last[next]) return false;
      total += below.count[next];
    }
    if (total > level.count[id]) return false;
  }
  return true;
}

}  // namespace

NgramCounts::NgramCounts(std::span<const Symbol> text, int alphabet_size, int max_order)
    : alphabet_size_(alphabet_size), levels_(max_order + 1) {
  count(text);
  link();
}

std::optional<std::uint32_t> NgramCounts::child(int k, std::uint32_t id, Symbol symbol) const {
  const std::vector<std::uint32_t>& children = levels_[k].children;
  const std::vector<Symbol>& last = levels_[k + 1].last;
  const auto end = last.begin() + children[id + 1];
  const auto found = std::lower_bound(last.begin() + children[id], end, symbol);
  if (found == end || *found != symbol) return std::nullopt;
  return static_cast<std::uint32_t>(found - last.begin());
}

// Goes through the positions in sorted order. If a position first differs from the previous one in
// its k-th character, it starts a new k-gram and new longer ones.
void NgramCounts::count(std::span<const Symbol> text) {
  const int depth = max_order();
  const auto add = [&](int k, Symbol symbol) {
    levels_[k].last.push_back(symbol);
    levels_[k].count.push_back(0);
    levels_[k].children.push_back(k < depth ? levels_[k + 1].size() : 0);
  };
  add(0, 0);
  std::span<const Symbol> before;
  for (const std::uint32_t position : sorted_positions(text, alphabet_size_, depth)) {
    const auto gram =
        text.subspan(position).first(std::min<std::size_t>(depth, text.size() - position));
    for (std::size_t k = common_prefix(before, gram) + 1; k <= gram.size(); ++k) {
      add(static_cast<int>(k), gram[k - 1]);
    }
    for (std::size_t k = 0; k <= gram.size(); ++k) ++levels_[k].count.back();
    before = gram;
  }
  for (int k = 0; k <= depth; ++k) {
    levels_[k].children.push_back(k < depth ? levels_[k + 1].size() : 0);
  }
}

bool NgramCounts::link() {
  levels_[0].shorter.assign(1, 0);
  for (int k = 1; k <= max_order(); ++k) {
    if (!link_shorter(k)) return false;
  }
  for (int k = 0; k < max_order(); ++k) {
    NgramLevel& level = levels_[k];
    level.continuation.assign(level.size(), 0);
    for (const std::uint32_t id : levels_[k + 1].shorter) ++level.continuation[id];
    level.continuation_discount = discount(level.continuation);
  }
  for (int k = 0; k < max_order(); ++k) sum_children(k);
  for (NgramLevel& level : levels_) level.count_discount = discount(level.count);
  return true;
}

// Sets `shorter` at level k. If the text has hc it also has h'c, with h' the shorter form of h, so
// the shorter form of hc is the child of h' with character c.
bool NgramCounts::link_shorter(int k) {
  NgramLevel& level = levels_[k];
  const NgramLevel& above = levels_[k - 1];
  level.shorter.assign(level.size(), 0);
  if (k == 1) return true;
  for (std::uint32_t parent = 0; parent < above.size(); ++parent) {
    std::uint32_t match = levels_[k - 2].children[above.shorter[parent]];
    const std::uint32_t end = levels_[k - 2].children[above.shorter[parent] + 1];
    for (std::uint32_t id = above.children[parent]; id < above.children[parent + 1]; ++id) {
      while (match < end && above.last[match] != level.last[id]) ++match;
      if (match == end) return false;
      level.shorter[id] = match;
    }
  }
  return true;
}

void NgramCounts::sum_children(int k) {
  NgramLevel& level = levels_[k];
  const NgramLevel& below = levels_[k + 1];
  level.count_total.assign(level.size(), 0);
  level.continuation_total.assign(level.size(), 0);
  level.continuation_types.assign(level.size(), 0);
  for (std::uint32_t id = 0; id < level.size(); ++id) {
    for (std::uint32_t next = level.children[id]; next < level.children[id + 1]; ++next) {
      level.count_total[id] += below.count[next];
      if (below.continuation.empty()) continue;
      level.continuation_total[id] += below.continuation[next];
      level.continuation_types[id] += below.continuation[next] > 0 ? 1 : 0;
    }
  }
}

std::string NgramCounts::to_bytes() const {
  ByteWriter writer;
  writer.value(std::uint32_t(alphabet_size_));
  writer.value(std::uint32_t(max_order()));
  for (const NgramLevel& level : levels_) {
    writer.array(level.last);
    writer.array(level.count);
    writer.array(level.children);
  }
  return writer.take();
}

std::optional<NgramCounts> NgramCounts::from_bytes(std::string_view bytes) {
  ByteReader reader(bytes);
  std::uint32_t alphabet_size = 0;
  std::uint32_t max_order = 0;
  if (!reader.value(alphabet_size) || alphabet_size == 0 || alphabet_size > Alphabet::kMaxSize) {
    return std::nullopt;
  }
  if (!reader.value(max_order) || max_order > kMaxOrder) return std::nullopt;
  NgramCounts counts;
  counts.alphabet_size_ = static_cast<int>(alphabet_size);
  counts.levels_.resize(max_order + 1);
  for (NgramLevel& level : counts.levels_) {
    if (!reader.array(level.last) || !reader.array(level.count) || !reader.array(level.children)) {
      return std::nullopt;
    }
  }
  for (std::uint32_t k = 0; k <= max_order; ++k) {
    const std::uint32_t children = k < max_order ? counts.levels_[k + 1].size() : 0;
    if (!well_formed(counts.levels_[k], children, counts.alphabet_size_)) return std::nullopt;
  }
  for (std::uint32_t k = 0; k < max_order; ++k) {
    if (!fits_children(counts.levels_[k], counts.levels_[k + 1])) return std::nullopt;
  }
  if (!reader.at_end() || counts.levels_[0].size() != 1 || !counts.link()) return std::nullopt;
  return counts;
}

}  // namespace gradus
