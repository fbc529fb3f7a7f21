// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/curricula/ngram/text.h"

namespace gradus {

/// All k-grams of a text for one k, in lexicographic order, so that the k-grams that extend the
/// same (k-1)-gram are contiguous. The id of a k-gram is its index. The first three arrays
/// determine all others.
struct NgramLevel {
  std::vector<Symbol> last;             ///< the k-gram's last character
  std::vector<std::uint32_t> count;     ///< how often it occurs
  std::vector<std::uint32_t> children;  ///< (size + 1) id of the first (k+1)-gram that extends it

  std::vector<std::uint32_t> shorter;       ///< id of the (k-1)-gram without its first character
  std::vector<std::uint32_t> continuation;  ///< number of distinct characters seen before it
  /// Sums over the k-gram's children: of count, of continuation, and the number of children with
  /// continuation > 0.
  std::vector<std::uint32_t> count_total;
  std::vector<std::uint32_t> continuation_total;
  std::vector<std::uint32_t> continuation_types;
  /// D = n1 / (n1 + 2 n2), with n1 and n2 the number of k-grams whose count (or continuation) is 1
  /// and 2. 0 if n1 is 0.
  double count_discount = 0;
  double continuation_discount = 0;

  std::uint32_t size() const { return static_cast<std::uint32_t>(last.size()); }
};

/// The counts that all Kneser-Ney models of a text share, for orders 0 to max_order. A model of
/// order n reads counts at level n and continuations at the levels below. Level 0 is the empty
/// k-gram; the last level has no children and no continuations. Immutable.
class NgramCounts {
 public:
  static constexpr int kMaxOrder = 20;

  /// Counts the k-grams of `text`. REQUIRES 0 < text.size() < 2^32, symbols < alphabet_size, and
  /// max_order in 0..kMaxOrder.
  NgramCounts(std::span<const Symbol> text, int alphabet_size, int max_order);

  int alphabet_size() const { return alphabet_size_; }
  int max_order() const { return static_cast<int>(levels_.size()) - 1; }
  const NgramLevel& level(int k) const { return levels_[k]; }
  /// The (k+1)-gram that extends k-gram `id` by `symbol`, or nullopt if the text does not have it.
  /// REQUIRES k < max_order().
  std::optional<std::uint32_t> child(int k, std::uint32_t id, Symbol symbol) const;

  /// Serialise and parse. from_bytes() returns nullopt if the bytes are not valid.
  std::string to_bytes() const;
  static std::optional<NgramCounts> from_bytes(std::string_view bytes);

 private:
  NgramCounts() = default;
  void count(std::span<const Symbol> text);
  // Compute the other arrays. Return false if a k-gram's shorter form is missing.
  bool link();
  bool link_shorter(int k);
  void sum_children(int k);

  int alphabet_size_ = 0;
  std::vector<NgramLevel> levels_;
};

}  // namespace gradus
