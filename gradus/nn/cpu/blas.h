// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cblas.h>

namespace gradus {

// The matrix products that the networks need, row-major, on one thread. `c` is (m, n) and the inner
// dimension is k. Suffix `at` or `bt` means that a or b is stored transposed. Rows are contiguous.

/// Stops the BLAS library from starting its own threads: the learner splits the work itself, so
/// that results do not depend on the number of threads. Call once before the first product.
inline void use_one_blas_thread() {
  openblas_set_num_threads(1);
}

namespace detail {
inline void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const float* a,
                 const float* b, float beta, float* c) {
  cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1.0f, a, ta == CblasTrans ? m : k, b,
              tb == CblasTrans ? k : n, beta, c, n);
}
inline void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const double* a,
                 const double* b, double beta, double* c) {
  cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1.0, a, ta == CblasTrans ? m : k, b,
              tb == CblasTrans ? k : n, beta, c, n);
}
}  // namespace detail

/// c += a b with a (m, k) and b (k, n).
template <typename Real>
void add_product(int m, int n, int k, const Real* a, const Real* b, Real* c) {
  if (m > 0) detail::gemm(CblasNoTrans, CblasNoTrans, m, n, k, a, b, Real{1}, c);
}

/// c += a b^T with a (m, k) and b (n, k).
template <typename Real>
void add_product_bt(int m, int n, int k, const Real* a, const Real* b, Real* c) {
  if (m > 0) detail::gemm(CblasNoTrans, CblasTrans, m, n, k, a, b, Real{1}, c);
}

/// c += a^T b with a (k, m) and b (k, n).
template <typename Real>
void add_product_at(int m, int n, int k, const Real* a, const Real* b, Real* c) {
  if (k > 0) detail::gemm(CblasTrans, CblasNoTrans, m, n, k, a, b, Real{1}, c);
}

}  // namespace gradus
