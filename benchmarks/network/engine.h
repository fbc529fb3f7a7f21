// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "benchmarks/network/case.h"

namespace gradus::benchmarks {

/// An implementation that trains the network of a case on its batch.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual void update() = 0;
};

std::unique_ptr<Engine> make_gradus_engine(const Case& c, const Batch& batch);
/// oneDNN's LSTM primitives, or null if the program was built without the library.
std::unique_ptr<Engine> make_onednn_engine(const Case& c, const Batch& batch);

}  // namespace gradus::benchmarks
