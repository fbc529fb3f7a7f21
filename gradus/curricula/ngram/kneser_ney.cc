// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/kneser_ney.h"

#include <algorithm>
#include <cmath>

namespace gradus {

// Row h of C_k: what follows a context h of k-1 characters.
struct KneserNey::Successors {
  const std::vector<std::uint32_t>& counts;  // C_k(hc) by the id of hc
  double discount;                           // D_k
  double total;                              // C_k(h.)
  double types;                              // N_k(h.)

  double discounted(std::uint32_t id) const { return std::max(counts[id] - discount, 0.0); }
};

KneserNey::Successors KneserNey::successors(Context context) const {
  const NgramLevel& level = counts_.level(context.length);
  const NgramLevel& next = counts_.level(context.length + 1);
  if (context.length + 1 == order_) {
    const std::uint32_t types = level.children[context.id + 1] - level.children[context.id];
    return {next.count, next.count_discount, static_cast<double>(level.count_total[context.id]),
            static_cast<double>(types)};
  }
  return {next.continuation, next.continuation_discount,
          static_cast<double>(level.continuation_total[context.id]),
          static_cast<double>(level.continuation_types[context.id])};
}

KneserNey::Context KneserNey::shorter(Context context) const {
  return {context.length - 1, counts_.level(context.length).shorter[context.id]};
}

KneserNey::Context KneserNey::advance(Context context, Symbol symbol) const {
  if (order_ <= 1) return {};
  for (;; context = shorter(context)) {
    const auto id = counts_.child(context.length, context.id, symbol);
    if (id) {
      const Context longer{context.length + 1, *id};
      return longer.length < order_ ? longer : shorter(longer);
    }
    if (context.length == 0) return {};
  }
}

double KneserNey::probability(Context context, Symbol symbol) const {
  double sum = 0;
  double weight = 1;  // weight of the remaining levels
  for (int length = order_ == 0 ? -1 : context.length; length >= 0; --length) {
    const Successors row = successors(context);
    if (row.total > 0) {
      const auto id = counts_.child(length, context.id, symbol);
      if (id) sum += weight * row.discounted(*id) / row.total;
      weight *= row.discount * row.types / row.total;
    }
    if (length > 0) context = shorter(context);
  }
  return sum + weight / alphabet_size();
}

// The interpolation is a mixture: the probability that the loop leaves over draws from the shorter
// context.
Symbol KneserNey::sample(Context context, Random& random) const {
  for (int length = order_ == 0 ? -1 : context.length; length >= 0; --length) {
    const Successors row = successors(context);
    double left = random.uniform() * row.total;
    const NgramLevel& level = counts_.level(length);
    for (std::uint32_t id = level.children[context.id]; id < level.children[context.id + 1]; ++id) {
      left -= row.discounted(id);
      if (left < 0) return counts_.level(length + 1).last[id];
    }
    if (length > 0) context = shorter(context);
  }
  return static_cast<Symbol>(random.below(alphabet_size()));
}

double KneserNey::bits(std::span<const Symbol> text) const {
  double bits = 0;
  Context context;
  for (const Symbol symbol : text) {
    bits -= std::log2(probability(context, symbol));
    context = advance(context, symbol);
  }
  return bits;
}

}  // namespace gradus
