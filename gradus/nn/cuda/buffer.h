#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "gradus/nn/cuda/check.h"

namespace gradus::cuda {

enum class Memory { kDevice, kPinned };

/// An array in the GPU's memory, or in host memory that the GPU copies from directly. Growing it
/// loses what it held.
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

  /// Makes room for `size` elements; true where the array is a new one.
  bool reserve(std::size_t size) {
    if (size <= capacity_) return false;
    const std::size_t roomy = std::max(size, capacity_ + capacity_ / 2);
    release();
    void* memory = nullptr;
    if constexpr (kMemory == Memory::kPinned) {
      check(cudaMallocHost(&memory, roomy * sizeof(T)), "allocating pinned host memory");
    } else {
      check(cudaMalloc(&memory, roomy * sizeof(T)), "allocating memory of the GPU");
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
    // Nothing useful can be done about a failure here.
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

/// A copy of a table in the GPU's memory.
template <typename T>
Buffer<T> on_gpu(const std::vector<T>& values) {
  Buffer<T> buffer(values.size());
  check(cudaMemcpy(buffer.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
        "sending a table");
  // The copy may still be on its way, and streams that wait for no other may not wait for it.
  check(cudaStreamSynchronize(nullptr), "sending a table");
  return buffer;
}

}  // namespace gradus::cuda
