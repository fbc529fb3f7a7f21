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

/// A point in a stream that other streams can wait for.
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event"); }
  ~Event() {
    // Nothing useful can be done about a failure here.
    static_cast<void>(cudaEventDestroy(event_));
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "marking a point"); }
  /// Lets the stream go on when the point last recorded is reached.
  void hold(cudaStream_t stream) { check(cudaStreamWaitEvent(stream, event_), "waiting"); }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace gradus::cuda
