#include "gradus/nn/cpu/fast/rows.h"

#include <algorithm>

namespace gradus::fast {
namespace {

constexpr int kChunk = 256;

}  // namespace

void Chunks::clear() {
  stretches_.clear();
  ends_.clear();
  in_last_ = kChunk;
}

void Chunks::add(Stretch stretch) {
  while (stretch.count > 0) {
    const bool fresh = in_last_ == kChunk;
    if (fresh) {
      ends_.push_back(stretches_.size());
      in_last_ = 0;
    }
    const int count = std::min(stretch.count, kChunk - in_last_);
    Stretch* last = fresh ? nullptr : &stretches_.back();
    if (last && last->a + last->count == stretch.a && last->b + last->count == stretch.b) {
      last->count += count;
    } else {
      stretches_.push_back({stretch.a, stretch.b, count});
      ends_.back() = stretches_.size();
    }
    in_last_ += count;
    stretch = {stretch.a + count, stretch.b + count, stretch.count - count};
  }
}

std::span<const Stretch> Chunks::operator[](int chunk) const {
  const std::size_t first = chunk == 0 ? 0 : ends_[chunk - 1];
  return std::span(stretches_).subspan(first, ends_[chunk] - first);
}

void Rows::lay_out(const Batch& batch, const InputSpec& spec) {
  starts_.assign(1, 0);
  scored_.clear();
  targets_.clear();
  inputs_.clear();
  shifted_.clear();
  all_.clear();
  scored_chunks_.clear();
  int running = batch.sequences;
  for (int t = 0; t < batch.steps; ++t) {
    while (batch.lengths[running - 1] <= t) --running;
    for (int b = 0; b < running; ++b) {
      const std::size_t cell = static_cast<std::size_t>(t) * batch.sequences + b;
      inputs_.add_row(batch, spec, cell);
      if (batch.scored[cell] == 0) continue;
      scored_.push_back(starts_[t] + b);
      targets_.push_back(batch.targets[cell]);
    }
    if (t > 0) shifted_.add({starts_[t - 1], starts_[t], running});
    starts_.push_back(starts_[t] + running);
  }
  all_.add({0, 0, static_cast<int>(count())});
  scored_chunks_.add({0, 0, static_cast<int>(scored_.size())});
}

}  // namespace gradus::fast
