// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/batch_source.h"

#include <stdexcept>

namespace gradus {

BatchSource::BatchSource(const Curriculum& curriculum, Purpose purpose, Split split, int batch_size,
                         std::uint64_t seed)
    : curriculum_(curriculum),
      purpose_(purpose),
      split_(split),
      batch_size_(batch_size),
      seed_(seed),
      counts_(curriculum.tasks().size()) {}

Batch BatchSource::make(int task, std::uint64_t k) const {
  Random random(seed_, purpose_, k, static_cast<std::uint32_t>(task));
  return curriculum_.sample(task, batch_size_, split_, random);
}

void BatchSource::restore(std::vector<std::uint64_t> counts) {
  if (counts.size() != counts_.size()) throw std::logic_error("BatchSource: one count per task");
  counts_ = std::move(counts);
}

}  // namespace gradus
