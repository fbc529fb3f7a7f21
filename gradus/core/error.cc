// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace gradus {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string to_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::vector<std::string> nearest_first(std::string_view name,
                                       std::span<const std::string> candidates) {
  std::vector<std::string> sorted(candidates.begin(), candidates.end());
  std::ranges::stable_sort(
      sorted, {}, [&](const std::string& candidate) { return edit_distance(name, candidate); });
  return sorted;
}

void throw_unknown(std::string_view kind, std::string_view name,
                   std::span<const std::string> candidates) {
  std::string message = "unknown " + std::string(kind) + " \"" + std::string(name) + "\"; ";
  const std::string nearest = nearest_name(name, candidates);
  if (!nearest.empty()) throw InputError(message + "did you mean \"" + nearest + "\"?");
  message += "expected one of:";
  for (const std::string& candidate : candidates) message += " " + candidate;
  throw InputError(message);
}

int find_known(std::string_view kind, std::string_view name, std::span<const std::string> known) {
  const auto found = std::ranges::find(known, name);
  if (found == known.end()) throw_unknown(kind, name, known);
  return static_cast<int>(found - known.begin());
}

}  // namespace gradus
