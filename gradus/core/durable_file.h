#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gradus {

/// A new file under a name of its own beside `target`, which it replaces once it is whole and on
/// disk: whenever the machine stops, the old file or the new one is there. A file that is never
/// committed goes away with this object. Failures throw std::system_error.
class DurableFile {
 public:
  explicit DurableFile(const std::filesystem::path& target);
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  ~DurableFile();

  void write(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
};

/// Writes a whole file so.
void write_durably(const std::filesystem::path& target, std::string_view bytes);

/// Makes sure that the names in a folder are on disk.
void sync_folder(const std::filesystem::path& folder);

/// All bytes of a file. Throws std::system_error where they cannot be read.
std::string read_bytes(const std::filesystem::path& file);

}  // namespace gradus
