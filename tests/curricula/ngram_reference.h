// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gradus::testing {

/// Interpolated Kneser-Ney written from its definition with maps of strings. Slow, and shares no
/// code with the implementation under test.
class SlowKneserNey {
 public:
  SlowKneserNey(const std::string& text, int order)
      : order_(order), alphabet_(text.begin(), text.end()), rows_(order + 1) {
    for (int k = 1; k <= order; ++k) {
      for (const auto& [gram, count] : k == order ? occurrences(text, k) : continuations(text, k)) {
        rows_[k][gram.substr(0, k - 1)][gram.back()] = count;
      }
    }
  }

  double probability(std::string context, char next) const {
    const std::size_t kept = std::min<std::size_t>(context.size(), std::max(order_ - 1, 0));
    context = context.substr(context.size() - kept);
    const int k = order_ == 0 ? 0 : static_cast<int>(kept) + 1;
    return probability(k, context, next);
  }

  const std::set<char>& alphabet() const { return alphabet_; }

 private:
  using Counts = std::map<std::string, int>;

  static Counts occurrences(const std::string& text, int k) {
    Counts counts;
    for (std::size_t i = 0; i + k <= text.size(); ++i) ++counts[text.substr(i, k)];
    return counts;
  }

  static Counts continuations(const std::string& text, int k) {
    std::map<std::string, std::set<char>> before;
    for (std::size_t i = 1; i + k <= text.size(); ++i) {
      before[text.substr(i, k)].insert(text[i - 1]);
    }
    Counts counts;
    for (const auto& [gram, characters] : before)
      counts[gram] = static_cast<int>(characters.size());
    return counts;
  }

  double discount(int k) const {
    double ones = 0;
    double twos = 0;
    for (const auto& [context, row] : rows_[k]) {
      for (const auto& [next, count] : row) {
        ones += count == 1 ? 1 : 0;
        twos += count == 2 ? 1 : 0;
      }
    }
    return ones == 0 ? 0 : ones / (ones + 2 * twos);
  }

  double probability(int k, const std::string& context, char next) const {
    if (k == 0) return 1.0 / static_cast<double>(alphabet_.size());
    const double lower = probability(k - 1, k == 1 ? "" : context.substr(1), next);
    const auto row = rows_[k].find(context);
    if (row == rows_[k].end()) return lower;
    double total = 0;
    for (const auto& [other, count] : row->second) total += count;
    const auto found = row->second.find(next);
    const double count = found == row->second.end() ? 0 : found->second;
    const double d = discount(k);
    return std::max(count - d, 0.0) / total +
           d * static_cast<double>(row->second.size()) / total * lower;
  }

  int order_;
  std::set<char> alphabet_;
  std::vector<std::map<std::string, std::map<char, int>>> rows_;
};

}  // namespace gradus::testing
