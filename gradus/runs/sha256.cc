#include "gradus/runs/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace gradus {
namespace {

using Words = std::array<std::uint32_t, 8>;

// The constants of the standard are the first 32 bits of the fractional parts of roots of the first
// primes: cube roots for the rounds, square roots for the initial state. A long double has 64 bits
// for integer and fractional part together, enough for 32 fractional bits of a root below 8.
template <std::size_t N>
std::array<std::uint32_t, N> fractions_of_roots(long double (*root)(long double)) {
  std::array<std::uint32_t, N> fractions;
  std::size_t count = 0;
  for (int n = 2; count < N; ++n) {
    bool prime = true;
    for (int d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (!prime) continue;
    const long double value = root(n);
    fractions[count++] = static_cast<std::uint32_t>((value - std::floor(value)) * 0x1p32L);
  }
  return fractions;
}

std::uint32_t big_endian(const unsigned char* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
         static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

void absorb(const unsigned char* block, Words& state) {
  static const auto constants = fractions_of_roots<64>([](long double x) { return std::cbrt(x); });
  std::array<std::uint32_t, 64> w;
  for (int t = 0; t < 16; ++t) w[t] = big_endian(block + 4 * t);
  for (int t = 16; t < 64; ++t) {
    const std::uint32_t a = w[t - 15];
    const std::uint32_t b = w[t - 2];
    w[t] = w[t - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[t - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int t = 0; t < 64; ++t) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + constants[t] + w[t];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const Words added = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state[i] += added[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Words state = fractions_of_roots<8>([](long double x) { return std::sqrt(x); });
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / 64 * 64;
  for (std::size_t at = 0; at < whole; at += 64) absorb(data + at, state);

  // Padding: the remaining bytes, a 1 bit, zeros, and the length in bits.
  std::array<unsigned char, 128> tail{};
  const std::size_t rest = bytes.size() - whole;
  if (rest > 0) std::memcpy(tail.data(), data + whole, rest);
  tail[rest] = 0x80;
  const std::size_t size = rest < 56 ? 64 : 128;
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (int i = 0; i < 8; ++i) {
    tail[size - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  }
  for (std::size_t at = 0; at < size; at += 64) absorb(tail.data() + at, state);

  std::string text;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  }
  return text;
}

}  // namespace gradus
