// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gradus {

// The matrix products of the reference, row-major, on one thread, for float and double. `c` is
// (m, n) and the inner dimension is k. Suffix `at` or `bt` means that a or b is stored transposed.
// Rows are contiguous. c must not overlap a or b.

/// c += a b with a (m, k) and b (k, n).
template <typename Real>
void add_product(int m, int n, int k, const Real* a, const Real* b, Real* c);

/// c += a b^T with a (m, k) and b (n, k).
template <typename Real>
void add_product_bt(int m, int n, int k, const Real* a, const Real* b, Real* c);

/// c += a^T b with a (k, m) and b (k, n).
template <typename Real>
void add_product_at(int m, int n, int k, const Real* a, const Real* b, Real* c);

}  // namespace gradus
