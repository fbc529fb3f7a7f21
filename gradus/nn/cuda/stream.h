#pragma once

#include "gradus/nn/cuda/check.h"

namespace gradus::cuda {

/// A stream of work that waits for no other.
class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
  ~Stream() {
    // Nothing useful can be done about a failure here.
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_), "working"); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace gradus::cuda
