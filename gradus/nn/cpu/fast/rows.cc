// SPDX-License-Identifier: Apache-2.0
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

int Rows::running(int quad, int t) const {
  return std::clamp(active(t) - quad * kQuad, 0, kQuad);
}

void Rows::lay_out(const Batch& batch, const InputSpec& spec) {
  active_.clear();
  int running = batch.sequences;
  for (int t = 0; t < batch.steps; ++t) {
    while (batch.lengths[running - 1] <= t) --running;
    active_.push_back(running);
  }
  quads_ = (batch.sequences + kQuad - 1) / kQuad;
  width_ = std::min(kQuad, batch.sequences);
  quad_stride_ = spread(width_ * active_.size());
  lay_out_inputs(batch, spec);
  scored_.clear();
  targets_.clear();
  for (int part = 0; part < kParts; ++part) {
    parts_[part].shifted.clear();
    parts_[part].all.clear();
    parts_[part].scored.clear();
    for (int quad = part; quad < quads_; quad += kParts) lay_out_quad(batch, quad, parts_[part]);
  }
}

void Rows::lay_out_inputs(const Batch& batch, const InputSpec& spec) {
  inputs_.clear();
  for (int quad = 0; quad < quads_; ++quad) {
    for (int t = 0; running(quad, t) > 0; ++t) {
      inputs_.skip_to(at(t, quad * kQuad));
      for (int b = 0; b < running(quad, t); ++b) {
        inputs_.add_row(batch, spec,
                        static_cast<std::size_t>(t) * batch.sequences + quad * kQuad + b);
      }
    }
  }
  inputs_.skip_to(padded());
}

void Rows::lay_out_quad(const Batch& batch, int quad, Part& part) {
  for (int t = 0; running(quad, t) > 0; ++t) {
    const int count = running(quad, t);
    const std::size_t row = at(t, quad * kQuad);
    part.all.add({row, row, count});
    if (t > 0) part.shifted.add({row - width_, row, count});
    for (int k = 0; k < count; ++k) {
      const int b = quad * kQuad + k;
      const std::size_t cell = static_cast<std::size_t>(t) * batch.sequences + b;
      if (batch.scored[cell] == 0) continue;
      part.scored.add({row + k, scored_.size(), 1});
      scored_.push_back({b, t});
      targets_.push_back(batch.targets[cell]);
    }
  }
}

}  // namespace gradus::fast
