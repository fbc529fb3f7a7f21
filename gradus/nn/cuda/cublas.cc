// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/cublas.h"

#include <stdexcept>
#include <string>

#include <dlfcn.h>

#include "gradus/core/error.h"

namespace gradus::cuda {
namespace {

// Tries the system's search path first, then the folder that had the library at build time.
void* open_library() {
  const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
  for (const std::string& path : {name, std::string(GRADUS_CUBLAS_FOLDER) + "/" + name}) {
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  throw InputError("device is \"cuda\", but cuBLAS cannot be loaded: " + std::string(dlerror()));
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (!function) throw std::runtime_error(std::string("cuBLAS has no function ") + name);
}

Cublas load() {
  void* library = open_library();
  Cublas loaded;
  find(library, "cublasCreate_v2", loaded.create);
  find(library, "cublasDestroy_v2", loaded.destroy);
  find(library, "cublasSetStream_v2", loaded.set_stream);
  find(library, "cublasSetWorkspace_v2", loaded.set_workspace);
  find(library, "cublasGemmEx", loaded.gemm);
  find(library, "cublasGetStatusString", loaded.status_string);
  return loaded;
}

}  // namespace

const Cublas& cublas() {
  static const Cublas loaded = load();
  return loaded;
}

void check(cublasStatus_t result, const char* what) {
  if (result == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string("cuBLAS: ") + what + ": " + cublas().status_string(result));
}

}  // namespace gradus::cuda
