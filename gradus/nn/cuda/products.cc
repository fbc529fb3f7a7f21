// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/products.h"

#include "gradus/nn/cuda/cublas.h"

namespace gradus::cuda {
namespace {

// cuBLAS's default size on Hopper. A separate workspace per handle keeps results the same whatever
// else the GPU runs.
constexpr std::size_t kWorkspace = 32 << 20;

}  // namespace

Products::Products(cudaStream_t stream) : workspace_(kWorkspace) {
  check(cublas().create(&handle_), "creating a handle");
  check(cublas().set_stream(handle_, stream), "setting the stream");
  check(cublas().set_workspace(handle_, workspace_.data(), kWorkspace), "setting the workspace");
}

Products::~Products() {
  cublas().destroy(handle_);
}

// cuBLAS is column-major and sees row-major matrices transposed, so compute c^T = b^T a^T.
template <typename Operand>
void Products::multiply(cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k,
                        float scale, Matrix<const Operand> a, Matrix<const Operand> b,
                        Matrix<float> c, bool add) {
  if (m == 0 || n == 0) return;
  constexpr bool kHalf = std::is_same_v<Operand, __half>;
  const float keep = add ? 1 : 0;
  check(
      cublas().gemm(handle_, of_b, of_a, n, m, k, &scale, b.data, kHalf ? CUDA_R_16F : CUDA_R_32F,
                    b.leading, a.data, kHalf ? CUDA_R_16F : CUDA_R_32F, a.leading, &keep, c.data,
                    CUDA_R_32F, c.leading, kHalf ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_PEDANTIC,
                    CUBLAS_GEMM_DEFAULT),
      "multiplying matrices");
}

template void Products::multiply(cublasOperation_t, cublasOperation_t, int, int, int, float,
                                 Matrix<const __half>, Matrix<const __half>, Matrix<float>, bool);
template void Products::multiply(cublasOperation_t, cublasOperation_t, int, int, int, float,
                                 Matrix<const float>, Matrix<const float>, Matrix<float>, bool);

}  // namespace gradus::cuda
