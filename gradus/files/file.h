// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gradus {

/// Returns all bytes of a file, which may be a pipe. Throws InputError naming the file and the
/// reason if it cannot be read.
std::string read_file(const std::filesystem::path& file);

/// Throws std::system_error for errno, naming the file.
[[noreturn]] void throw_errno(const std::filesystem::path& file);

/// Writes all bytes to an open file. Throws std::system_error, naming `file`, if it cannot.
void write_all(int descriptor, std::string_view bytes, const std::filesystem::path& file);

/// Atomically replaces the file `target`. Bytes go to a temporary file beside `target`; commit()
/// syncs it to disk and renames it, so after a crash either the old file or the whole new one is
/// there. The destructor deletes the temporary file if it was not committed. Failures throw
/// std::system_error.
class DurableFile {
 public:
  explicit DurableFile(const std::filesystem::path& target);
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  ~DurableFile();

  /// Whether `file` is the temporary file of a DurableFile for `target`, to judge by its name.
  static bool is_temporary(const std::filesystem::path& file, const std::filesystem::path& target);

  void write(std::string_view bytes);
  /// Syncs what was written, so that commit() takes no more than a rename.
  void sync();
  void commit();

 private:
  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
  bool is_synced_ = false;
};

/// Atomically replaces `target` with `bytes`. Throws std::system_error on failure.
void write_durably(const std::filesystem::path& target, std::string_view bytes);

/// Syncs a folder to disk, so that files created or renamed in it survive a crash. Throws
/// std::system_error on failure.
void sync_folder(const std::filesystem::path& folder);

/// Whether `folder` is on a file system that other hosts may use at the same time, such as NFS or
/// Lustre. Counts every FUSE file system as one. False if the system does not tell.
bool is_on_network(const std::filesystem::path& folder);

}  // namespace gradus
