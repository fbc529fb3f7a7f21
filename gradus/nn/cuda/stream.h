// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gradus/nn/cuda/check.h"

namespace gradus::cuda {

/// Non-blocking CUDA stream.
class Stream {
 public:
  Stream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  }
  ~Stream() {
    // A failure here cannot be handled.
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A point in a stream that other streams can wait for.
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event"); }
  ~Event() {
    // A failure here cannot be handled.
    static_cast<void>(cudaEventDestroy(event_));
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "recording an event"); }
  /// Makes `stream` wait until the point last recorded is reached.
  void hold(cudaStream_t stream) {
    check(cudaStreamWaitEvent(stream, event_), "waiting for an event");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace gradus::cuda
