// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/cache.h"

#include <cstdlib>
#include <system_error>

#include "gradus/core/error.h"
#include "gradus/curricula/ngram/bytes.h"
#include "gradus/files/checksums.h"
#include "gradus/files/file.h"

namespace gradus {
namespace {

// Change this number with the layout of the file or of a payload. A file of another byte order
// reads as another number.
constexpr std::uint64_t kFormat = 0x6772616475730001u;

std::filesystem::path resolve(const std::string& directory) {
  if (directory == "none") return {};
  if (!directory.empty()) return directory;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return std::filesystem::path(cache) / "gradus";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return std::filesystem::path(home) / ".cache" / "gradus";
  }
  return {};
}

struct Entry {
  std::string_view key;
  std::string_view payload;
};

std::string header(std::string_view key, std::string_view payload) {
  ByteWriter writer;
  writer.value(kFormat);
  writer.value(checksum(key));
  writer.value(checksum(payload));
  writer.text(key);
  writer.value(std::uint64_t{payload.size()});
  return writer.take();
}

// Returns nullopt if the file is damaged or has another format.
std::optional<Entry> parse(std::string_view file) {
  ByteReader reader(file);
  std::uint64_t format = 0;
  std::uint64_t key_checksum = 0;
  std::uint64_t payload_checksum = 0;
  Entry entry;
  if (!reader.value(format) || format != kFormat || !reader.value(key_checksum) ||
      !reader.value(payload_checksum) || !reader.text(entry.key) || !reader.text(entry.payload) ||
      !reader.at_end()) {
    return std::nullopt;
  }
  if (checksum(entry.key) != key_checksum || checksum(entry.payload) != payload_checksum) {
    return std::nullopt;
  }
  return entry;
}

}  // namespace

NgramCache::NgramCache(const std::string& directory, Note note)
    : directory_(resolve(directory)), note_(std::move(note)) {
  if (directory_.empty() && directory != "none" && note_) {
    note_("no cache: neither XDG_CACHE_HOME nor HOME is set; set ngram.cache to a folder");
  }
}

std::optional<std::string> NgramCache::load(const std::string& name, std::string_view key) const {
  if (directory_.empty()) return std::nullopt;
  const std::filesystem::path file = directory_ / name;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;
  std::string bytes;
  try {
    bytes = read_file(file);
  } catch (const InputError& error) {
    tell(file, std::string("cannot be used (") + error.what() + "); rebuilding");
    return std::nullopt;
  }
  const std::optional<Entry> entry = parse(bytes);
  if (!entry) {
    tell(file, "is damaged or of another version; rebuilding");
    return std::nullopt;
  }
  if (entry->key != key) {
    tell(file, "is out of date (corpus or settings changed); rebuilding");
    return std::nullopt;
  }
  return std::string(entry->payload);
}

void NgramCache::store(const std::string& name, std::string_view key,
                       std::string_view payload) const {
  if (directory_.empty()) return;
  const std::filesystem::path file = directory_ / name;
  try {
    std::filesystem::create_directories(directory_);
    DurableFile replacement(file);
    replacement.write(header(key, payload));
    replacement.write(payload);
    replacement.commit();
  } catch (const std::system_error& error) {
    tell(file, std::string("cannot be written (") + error.what() + "); continuing without it");
  }
}

void NgramCache::reject(const std::string& name) const {
  tell(directory_ / name, "does not match its key; rebuilding");
}

void NgramCache::tell(const std::filesystem::path& file, const std::string& what) const {
  if (note_) note_("cache " + file.string() + " " + what);
}

}  // namespace gradus
