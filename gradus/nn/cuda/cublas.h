#pragma once

#include <cublas_v2.h>

namespace gradus::cuda {

/// What is used of cuBLAS. It is loaded at the first use and not with the program, since that takes
/// a fifth of a second and 200 MB, which who trains on the CPU should not pay.
struct Cublas {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasSetWorkspace_v2) set_workspace;
  // Spelt out: its name is overloaded.
  cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                         const void* alpha, const void* a, cudaDataType, int lda, const void* b,
                         cudaDataType, int ldb, const void* beta, void* c, cudaDataType, int ldc,
                         cublasComputeType_t, cublasGemmAlgo_t);
  decltype(&cublasGetStatusString) status_string;
};

/// Loads the library once. Throws InputError where it cannot be found.
const Cublas& cublas();

/// Throws std::runtime_error that names `what` and cuBLAS's reason where a call failed.
void check(cublasStatus_t result, const char* what);

}  // namespace gradus::cuda
