// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gradus/core/random.h"
#include "gradus/curricula/ngram/counts.h"

namespace gradus {

/// Interpolated Kneser-Ney over characters (Kneser and Ney 1995). The model of order n reads n-1
/// characters of context; order 0 is uniform over the alphabet. With h a context of k-1 characters,
///
///   P_k(c|h) = max(C_k(hc) - D_k, 0) / C_k(h.) + D_k N_k(h.) / C_k(h.) * P_{k-1}(c|h')
///
/// Here h' is h without its first character, C_n(hc) is the number of occurrences of hc in the
/// text, C_k(hc) for k < n is the number of distinct characters seen before hc, C_k(h.) is the sum
/// of C_k(hc) over c, N_k(h.) is the number of c with C_k(hc) > 0, and D_k = n1 / (n1 + 2 n2) with
/// n1 and n2 the number of k-grams whose C_k is 1 and 2 (0 if n1 is 0). P_0 is uniform. If C_k(h.)
/// is 0, P_k(c|h) = P_{k-1}(c|h'). At the start of a text the context has only m < n-1 characters:
/// P_{m+1} with its continuation counts predicts the next character, as if the text had nothing
/// before the context.
class KneserNey {
 public:
  /// The longest suffix of the preceding characters that occurs in the text, with at most order - 1
  /// characters. A prediction depends on nothing else.
  struct Context {
    int length = 0;
    std::uint32_t id = 0;  ///< id of that k-gram, k = length
    bool operator==(const Context&) const = default;
  };

  /// `counts` must outlive the model. REQUIRES 0 <= order <= counts.max_order().
  KneserNey(const NgramCounts& counts, int order) : counts_(counts), order_(order) {}

  int order() const { return order_; }
  int alphabet_size() const { return counts_.alphabet_size(); }

  /// The context after `symbol` follows `context`. A text starts with Context{}. Here and below
  /// REQUIRES symbol < alphabet_size().
  Context advance(Context context, Symbol symbol) const;
  /// P(symbol | context). It is 0 only if a discount is 0, which happens in texts of a few
  /// characters.
  double probability(Context context, Symbol symbol) const;
  /// Draws the next character.
  Symbol sample(Context context, Random& random) const;

  /// -log2 of the probability of `text` from its start. Each character is predicted from up to
  /// order - 1 characters before it. Infinite if a probability is 0.
  double bits(std::span<const Symbol> text) const;

 private:
  struct Successors;
  Successors successors(Context context) const;
  Context shorter(Context context) const;

  const NgramCounts& counts_;
  int order_;
};

}  // namespace gradus
