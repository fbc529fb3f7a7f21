// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/split.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace gradus::files {
namespace {

using Group = std::vector<std::uint32_t>;

// Groups the indices of equal sequences. Groups are in order of first appearance.
std::vector<Group> group_equal(const TaskSequences& sequences) {
  std::vector<Group> groups;
  std::unordered_map<std::uint64_t, std::size_t> group_of;
  for (std::uint32_t i = 0; i < sequences.size(); ++i) {
    const auto [found, is_new] = group_of.emplace(sequences.fingerprint(i), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

void append(std::vector<std::uint32_t>& part, const Group& group) {
  part.insert(part.end(), group.begin(), group.end());
}

}  // namespace

Parts split_sequences(const TaskSequences& sequences, double held_out, Random random) {
  std::vector<Group> groups = group_equal(sequences);
  if (groups.empty()) return {};
  shuffle(groups, random);
  const double share = std::round(held_out * static_cast<double>(sequences.size()));
  const auto wanted = std::max<std::size_t>(1, static_cast<std::size_t>(share));
  const auto smaller = [](const Group& a, const Group& b) { return a.size() < b.size(); };
  // The smallest group comes first: it is held out even if it is too large, unless it is the only
  // one.
  std::iter_swap(groups.begin(), std::min_element(groups.begin(), groups.end(), smaller));

  Parts parts;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool last_for_training = parts.training.empty() && i + 1 == groups.size();
    const bool fits = i == 0 || parts.held_out.size() + groups[i].size() <= wanted;
    append(fits && !last_for_training ? parts.held_out : parts.training, groups[i]);
  }
  std::sort(parts.training.begin(), parts.training.end());
  std::sort(parts.held_out.begin(), parts.held_out.end());
  return parts;
}

}  // namespace gradus::files
