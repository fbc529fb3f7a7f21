#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::fast {

/// The numbers of RmsPropSettings as one update uses them; see gradus/nn/cpu/rmsprop.h.
struct RmsPropStep {
  float scale = 1;  ///< of the gradient
  float decay = 0;
  float fresh = 0;
  float momentum = 0;
  float rate = 0;
  float epsilon = 0;
  float centred = 0;  ///< 1 or 0
  float spread = 0;
};

/// One pass over `count` parameters, their gradient and the optimiser's three numbers for each.
void rmsprop(const RmsPropStep& step, std::size_t count, const float* gradient, float* variances,
             float* means, float* steps, float* parameters);

/// theta = mu + softplus(rho) noise.
void sample_weights(std::size_t count, const float* mu, const float* rho, const float* noise,
                    float* theta);

/// The sum of a[i] b[i] in double.
double dot(std::size_t count, const float* a, const float* b);

/// Numbers that normal_chunk() makes at a time.
inline constexpr std::size_t kNoiseChunk = 256;

/// Standard normals [256 chunk, 256 (chunk + 1)) of update `update`, from blocks of four 32-bit
/// numbers by Box and Muller's method; random_block() says the numbers, of purpose kWeightNoise.
void normal_chunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk, double* normals);

}  // namespace gradus::fast
