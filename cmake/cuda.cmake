# SPDX-License-Identifier: Apache-2.0
# Sets GRADUS_HAS_CUDA to whether the CUDA back end can be built. That takes a CUDA compiler and
# cuBLAS, but no GPU. On GPUs of other architectures than those listed, the driver compiles the PTX.
set(GRADUS_HAS_CUDA OFF)
if(GRADUS_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  find_package(CUDAToolkit 12 QUIET)
  if(CMAKE_CUDA_COMPILER AND TARGET CUDA::cublas)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 80 90a)
    endif()
    enable_language(CUDA)
    # CMake 3.25 does not know that nvcc supports C++20.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(GRADUS_HAS_CUDA ON)
  endif()
endif()
message(STATUS "CUDA back end: ${GRADUS_HAS_CUDA}")
