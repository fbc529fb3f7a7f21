#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "gradus/curricula/ngram/settings.h"

namespace gradus {

/// 64 bits of `bytes`. Bytes of one length that differ within one aligned group of 8 never agree;
/// it guards against accidents, not against malice.
std::uint64_t checksum(std::string_view bytes);

/// Files that spare work already done. An entry is found by its name and stands only where its key,
/// which says all that it was made from, and its checksum are right; anything else counts as absent
/// and is told to `note`. Writing is atomic, so that several runs may share a folder.
class NgramCache {
 public:
  /// `directory` as in NgramSettings::cache.
  NgramCache(const std::string& directory, NgramNote note);

  /// The payload stored under `name`, where it was stored under the same `key`.
  std::optional<std::string> load(const std::string& name, std::string_view key) const;
  /// Replaces the entry `name`. A folder that cannot be written costs a note, not the run.
  void store(const std::string& name, std::string_view key, std::string_view payload) const;
  /// Tells `note` that an entry whose checksum is right has no meaning.
  void reject(const std::string& name) const;

 private:
  void tell(const std::filesystem::path& file, const std::string& what) const;

  std::filesystem::path directory_;  // empty: keep nothing
  NgramNote note_;
};

}  // namespace gradus
