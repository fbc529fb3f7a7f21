// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/products.h"

#include <cstddef>

namespace gradus {
namespace {

// Plain loops in an order that compilers vectorise. The reference needs no more: training uses the
// kernels of cpu/fast.

constexpr int kBlock = 8;   // rows of b that are read for each pass over a row of c
constexpr int kLanes = 32;  // independent sums of a dot product

// c += the sum of factors[q] times row q of b, for q < kRows. Rows have n numbers.
template <int kRows, typename Real>
void add_rows(std::ptrdiff_t n, const Real* factors, const Real* __restrict b, Real* __restrict c) {
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    Real sum = c[j];
    for (std::ptrdiff_t q = 0; q < kRows; ++q) sum += factors[q] * b[q * n + j];
    c[j] = sum;
  }
}

// c += a b. The number (i, p) of a is a[i * row + p * column].
template <typename Real>
void add(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const Real* a, std::ptrdiff_t row,
         std::ptrdiff_t column, const Real* b, Real* c) {
  const std::ptrdiff_t whole = k - k % kBlock;
  for (std::ptrdiff_t p = 0; p < whole; p += kBlock) {
    for (std::ptrdiff_t i = 0; i < m; ++i) {
      Real factors[kBlock];
      for (std::ptrdiff_t q = 0; q < kBlock; ++q) factors[q] = a[i * row + (p + q) * column];
      add_rows<kBlock>(n, factors, b + p * n, c + i * n);
    }
  }
  for (std::ptrdiff_t p = whole; p < k; ++p) {
    for (std::ptrdiff_t i = 0; i < m; ++i) {
      add_rows<1>(n, a + i * row + p * column, b + p * n, c + i * n);
    }
  }
}

template <typename Real>
Real dot(std::ptrdiff_t k, const Real* a, const Real* b) {
  Real lanes[kLanes] = {};
  const std::ptrdiff_t whole = k - k % kLanes;
  for (std::ptrdiff_t p = 0; p < whole; p += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += a[p + lane] * b[p + lane];
  }
  Real sum = 0;
  for (const Real lane : lanes) sum += lane;
  for (std::ptrdiff_t p = whole; p < k; ++p) sum += a[p] * b[p];
  return sum;
}

}  // namespace

template <typename Real>
void add_product(int m, int n, int k, const Real* a, const Real* b, Real* c) {
  add<Real>(m, n, k, a, k, 1, b, c);
}

template <typename Real>
void add_product_bt(int m, int n, int k, const Real* a, const Real* b, Real* c) {
  for (std::ptrdiff_t i = 0; i < m; ++i) {
    for (std::ptrdiff_t j = 0; j < n; ++j) c[i * n + j] += dot<Real>(k, a + i * k, b + j * k);
  }
}

template <typename Real>
void add_product_at(int m, int n, int k, const Real* a, const Real* b, Real* c) {
  add<Real>(m, n, k, a, 1, m, b, c);
}

template void add_product(int, int, int, const float*, const float*, float*);
template void add_product(int, int, int, const double*, const double*, double*);
template void add_product_bt(int, int, int, const float*, const float*, float*);
template void add_product_bt(int, int, int, const double*, const double*, double*);
template void add_product_at(int, int, int, const float*, const float*, float*);
template void add_product_at(int, int, int, const double*, const double*, double*);

}  // namespace gradus
