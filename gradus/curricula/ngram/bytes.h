// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gradus {

/// Writes values and arrays as bytes, in the byte order of this machine.
class ByteWriter {
 public:
  template <typename T>
  void value(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  template <typename T>
  void array(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    value(std::uint64_t{values.size()});
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }

  void text(std::string_view text) {
    value(std::uint64_t{text.size()});
    bytes_.append(text);
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what ByteWriter wrote. Each call returns false if the bytes end too early. The bytes must
/// outlive the reader and the texts, which point into them.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  bool value(T& value) {
    if (bytes_.size() < sizeof value) return false;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return true;
  }

  template <typename T>
  bool array(std::vector<T>& values) {
    std::uint64_t size = 0;
    if (!value(size) || size > bytes_.size() / sizeof(T)) return false;
    values.resize(size);
    if (size > 0) std::memcpy(values.data(), bytes_.data(), size * sizeof(T));
    bytes_.remove_prefix(size * sizeof(T));
    return true;
  }

  bool text(std::string_view& text) {
    std::uint64_t size = 0;
    if (!value(size) || size > bytes_.size()) return false;
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return true;
  }

  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

}  // namespace gradus
