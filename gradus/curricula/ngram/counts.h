#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/curricula/ngram/text.h"

namespace gradus {

/// All k-grams of a text for one k, in lexicographic order: those that extend one (k-1)-gram are
/// neighbours. A k-gram's id is its place here. The arrays from `shorter` on follow from the first
/// three.
struct NgramLevel {
  std::vector<Symbol> last;             ///< the k-gram's last character
  std::vector<std::uint32_t> count;     ///< how often it occurs
  std::vector<std::uint32_t> children;  ///< (size + 1) the first (k+1)-gram that extends it

  std::vector<std::uint32_t> shorter;       ///< the (k-1)-gram without its oldest character
  std::vector<std::uint32_t> continuation;  ///< distinct characters seen before it
  /// Sums over the k-gram's children: of count, of continuation, and of continuation > 0.
  std::vector<std::uint32_t> count_total;
  std::vector<std::uint32_t> continuation_total;
  std::vector<std::uint32_t> continuation_types;
  /// D = n1 / (n1 + 2 n2), n1 and n2 the k-grams whose count (continuation) is 1 and 2; 0 where
  /// there are none.
  double count_discount = 0;
  double continuation_discount = 0;

  std::uint32_t size() const { return static_cast<std::uint32_t>(last.size()); }
};

/// What the Kneser-Ney models of order 0 to max_order of one text have in common: a model of order
/// n reads counts at level n and continuations at the levels below. Level 0 is the empty k-gram;
/// the last level has no children and no continuations. Immutable.
class NgramCounts {
 public:
  static constexpr int kMaxOrder = 20;

  /// Sorts and counts. REQUIRES 0 < text.size() < 2^32, symbols < alphabet_size and
  /// 0 <= max_order <= kMaxOrder.
  NgramCounts(std::span<const Symbol> text, int alphabet_size, int max_order);

  int alphabet_size() const { return alphabet_size_; }
  int max_order() const { return static_cast<int>(levels_.size()) - 1; }
  const NgramLevel& level(int k) const { return levels_[k]; }
  /// The (k+1)-gram that extends k-gram `id` by `symbol`, where the text has it. REQUIRES
  /// k < max_order().
  std::optional<std::uint32_t> child(int k, std::uint32_t id, Symbol symbol) const;

  /// A compact form, and back; nullopt where the bytes are not such a form.
  std::string to_bytes() const;
  static std::optional<NgramCounts> from_bytes(std::string_view bytes);

 private:
  NgramCounts() = default;
  void count(std::span<const Symbol> text);
  void link();
  void link_shorter(int k);
  void sum_children(int k);

  int alphabet_size_ = 0;
  std::vector<NgramLevel> levels_;
};

}  // namespace gradus
