// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "gradus/nn/cuda/check.h"

namespace gradus::cuda {

enum class Memory { kDevice, kPinned };

/// An array in GPU memory, or in pinned host memory that the GPU copies from directly. Growing it
/// loses its contents.
template <typename T, Memory kMemory = Memory::kDevice>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) { reserve(size); }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~Buffer() { release(); }

  /// Makes room for `size` elements. Returns true if it allocated a new array, whose contents are
  /// uninitialised.
  bool reserve(std::size_t size) {
    if (size <= capacity_) return false;
    const std::size_t roomy = std::max(size, capacity_ + capacity_ / 2);
    release();
    void* memory = nullptr;
    if constexpr (kMemory == Memory::kPinned) {
      check(cudaMallocHost(&memory, roomy * sizeof(T)), "allocating pinned host memory");
    } else {
      check(cudaMalloc(&memory, roomy * sizeof(T)), "allocating GPU memory");
    }
    data_ = static_cast<T*>(memory);
    capacity_ = roomy;
    return true;
  }

  T* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  void release() {
    // A failure here cannot be handled.
    if constexpr (kMemory == Memory::kPinned) {
      static_cast<void>(cudaFreeHost(data_));
    } else {
      static_cast<void>(cudaFree(data_));
    }
    data_ = nullptr;
    capacity_ = 0;
  }

  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

template <typename T>
using PinnedBuffer = Buffer<T, Memory::kPinned>;

/// `count` zeros in GPU memory, set by a memset queued on `stream`.
template <typename T>
Buffer<T> make_zeros(std::size_t count, cudaStream_t stream) {
  Buffer<T> buffer(count);
  check(cudaMemsetAsync(buffer.data(), 0, count * sizeof(T), stream), "clearing memory");
  return buffer;
}

/// Copies a table to GPU memory.
template <typename T>
Buffer<T> on_gpu(const std::vector<T>& values) {
  Buffer<T> buffer(values.size());
  check(cudaMemcpy(buffer.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
        "copying a table to the GPU");
  // cudaMemcpy may return before the copy is done, and non-blocking streams do not wait for it.
  check(cudaStreamSynchronize(nullptr), "copying a table to the GPU");
  return buffer;
}

}  // namespace gradus::cuda
