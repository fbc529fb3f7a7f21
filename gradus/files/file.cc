// SPDX-License-Identifier: Apache-2.0
#include "gradus/files/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "gradus/core/error.h"

namespace gradus {
namespace {

constexpr std::string_view kTemporary = ".new-XXXXXX";  // mkstemp replaces the letters X

[[noreturn]] void refuse(const std::filesystem::path& file, int error) {
  throw InputError(file.string() + ": cannot be read: " + std::strerror(error));
}

// mkstemp creates files that only their owner may read.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::string read_file(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) refuse(file, errno);
  std::string bytes;
  char block[1 << 16];
  ssize_t count = 0;
  int error = 0;
  do {
    count = ::read(descriptor, block, sizeof block);
    if (count > 0) bytes.append(block, static_cast<std::size_t>(count));
    if (count < 0) error = errno;
  } while (count > 0 || (count < 0 && error == EINTR));
  ::close(descriptor);
  if (count < 0) refuse(file, error);
  return bytes;
}

void throw_errno(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string());
}

void write_all(int descriptor, std::string_view bytes, const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno(file);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool DurableFile::is_temporary(const std::filesystem::path& file,
                               const std::filesystem::path& target) {
  const std::string_view beginning = kTemporary.substr(0, kTemporary.find('X'));
  return file.string().starts_with(target.string() + std::string(beginning)) &&
         file.string().size() == target.string().size() + kTemporary.size();
}

DurableFile::DurableFile(const std::filesystem::path& target)
    : target_(target), name_(target.string() + std::string(kTemporary)) {
  static const mode_t mode = usual_mode();
  descriptor_ = ::mkstemp(name_.data());
  if (descriptor_ < 0) throw_errno(target_);
  ::fchmod(descriptor_, mode);
}

DurableFile::~DurableFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(name_.c_str());
}

void DurableFile::write(std::string_view bytes) {
  is_synced_ = false;
  write_all(descriptor_, bytes, target_);
}

void DurableFile::sync() {
  if (::fsync(descriptor_) != 0) throw_errno(target_);
  is_synced_ = true;
}

void DurableFile::commit() {
  if (!is_synced_) sync();
  if (::rename(name_.c_str(), target_.c_str()) != 0) throw_errno(target_);
  ::close(descriptor_);
  descriptor_ = -1;
}

void write_durably(const std::filesystem::path& target, std::string_view bytes) {
  DurableFile file(target);
  file.write(bytes);
  file.commit();
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) throw_errno(folder);
  const int result = ::fsync(descriptor);
  ::close(descriptor);
  if (result != 0) throw_errno(folder);
}

bool is_on_network(const std::filesystem::path& folder) {
  // Numbers from statfs(2), <linux/magic.h> and the file systems' own sources.
  static constexpr std::array<std::uint32_t, 14> kKinds = {
      0x6969,      // NFS
      0x517b,      // SMB
      0xff534d42,  // CIFS
      0xfe534d42,  // SMB2
      0x0bd00bd0,  // Lustre
      0x47504653,  // GPFS
      0x19830326,  // BeeGFS
      0x00c36400,  // Ceph
      0xaad7aaea,  // PanFS
      0x20030528,  // OrangeFS
      0x5346414f,  // AFS
      0x6b414653,  // kAFS
      0x01021997,  // 9P
      0x65735546,  // FUSE
  };
  struct statfs info = {};
  if (::statfs(folder.c_str(), &info) != 0) return false;
  return std::ranges::find(kKinds, static_cast<std::uint32_t>(info.f_type)) != kKinds.end();
}

}  // namespace gradus
