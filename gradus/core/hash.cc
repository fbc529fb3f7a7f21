// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/hash.h"

namespace gradus {
namespace {

template <typename Word>
Word fnv1a(std::string_view bytes, Word basis, Word prime) {
  for (const char c : bytes) basis = (basis ^ static_cast<unsigned char>(c)) * prime;
  return basis;
}

}  // namespace

std::uint32_t name_hash32(std::string_view name) {
  return fnv1a<std::uint32_t>(name, 0x811c9dc5u, 0x01000193u);
}

std::uint64_t name_hash64(std::string_view name) {
  return fnv1a<std::uint64_t>(name, 0xcbf29ce484222325u, 0x100000001b3u);
}

std::uint64_t mix_bits(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
  number = (number ^ number >> 27) * 0x94d049bb133111ebu;
  return number ^ number >> 31;
}

void Fingerprint::add(std::uint64_t number) {
  hash_ = mix_bits(hash_ + number);
}

}  // namespace gradus
