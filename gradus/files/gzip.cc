// SPDX-License-Identifier: Apache-2.0
#include "gradus/files/gzip.h"

#include <stdexcept>

#include <zlib.h>

#include "gradus/core/error.h"

namespace gradus {
namespace {

constexpr int kGzip = 15 + 16;  // zlib's largest window, and a gzip header
constexpr int kMemory = 8;      // zlib's default

z_stream stream_of(std::string_view bytes) {
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  return stream;
}

void give_room(z_stream& stream, std::string& out, std::size_t from) {
  stream.next_out = reinterpret_cast<Bytef*>(out.data() + from);
  stream.avail_out = static_cast<uInt>(out.size() - from);
}

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream = stream_of(bytes);
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::runtime_error("zlib cannot start compressing");
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  give_room(stream, out, 0);
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("zlib cannot compress");
  return out;
}

std::string gunzip(std::string_view bytes, const std::string& name, std::size_t most) {
  z_stream stream = stream_of(bytes);
  if (inflateInit2(&stream, kGzip) != Z_OK) throw std::runtime_error("zlib cannot start reading");
  std::string out;
  int result = Z_OK;
  while (result == Z_OK && out.size() <= most) {
    out.resize(out.size() + (std::size_t{1} << 18));
    give_room(stream, out, stream.total_out);
    result = inflate(&stream, Z_NO_FLUSH);
  }
  out.resize(stream.total_out);
  const bool all_read = stream.avail_in == 0;
  inflateEnd(&stream);
  if (out.size() > most) {
    throw InputError(name + ": holds more than " + std::to_string(most) + " bytes");
  }
  if (result != Z_STREAM_END || !all_read) {
    throw InputError(name + ": is damaged, or is not a gzip file");
  }
  return out;
}

}  // namespace gradus
