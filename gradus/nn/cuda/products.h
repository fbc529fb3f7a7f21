// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "gradus/nn/cuda/buffer.h"

namespace gradus::cuda {

/// A row-major matrix. Rows are `leading` numbers apart.
template <typename T>
struct Matrix {
  T* data = nullptr;
  int leading = 0;
};

/// Large matrix products on one stream, by cuBLAS: c = scale * (product) + (add ? c : 0). The inner
/// dimension is k, and c is (m, n). Suffix `at` or `bt` means that a or b is stored transposed.
/// Operands are half or float; sums are float. Float operands are not rounded to TF32. Equal calls
/// give equal bits.
class Products {
 public:
  /// Throws InputError if cuBLAS is not installed.
  explicit Products(cudaStream_t stream);
  ~Products();
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;

  /// a (m, k), b (k, n).
  template <typename Operand>
  void multiply(int m, int n, int k, Matrix<const Operand> a, Matrix<const Operand> b,
                Matrix<float> c, bool add = false) {
    multiply(CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, 1, a, b, c, add);
  }
  /// a (m, k), b (n, k).
  template <typename Operand>
  void multiply_bt(int m, int n, int k, Matrix<const Operand> a, Matrix<const Operand> b,
                   Matrix<float> c, bool add = false) {
    multiply(CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, 1, a, b, c, add);
  }
  /// a (k, m), b (k, n).
  template <typename Operand>
  void multiply_at(int m, int n, int k, float scale, Matrix<const Operand> a,
                   Matrix<const Operand> b, Matrix<float> c) {
    multiply(CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, scale, a, b, c, false);
  }

 private:
  template <typename Operand>
  void multiply(cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k, float scale,
                Matrix<const Operand> a, Matrix<const Operand> b, Matrix<float> c, bool add);

  cublasHandle_t handle_ = nullptr;
  Buffer<unsigned char> workspace_;
};

}  // namespace gradus::cuda
