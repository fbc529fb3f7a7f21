#include "gradus/core/durable_file.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gradus {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string());
}

// mkstemp creates files that only their owner may read.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

DurableFile::DurableFile(const std::filesystem::path& target)
    : target_(target), name_(target.string() + ".XXXXXX") {
  static const mode_t mode = usual_mode();
  descriptor_ = ::mkstemp(name_.data());
  if (descriptor_ < 0) fail(target_);
  ::fchmod(descriptor_, mode);
}

DurableFile::~DurableFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(name_.c_str());
}

void DurableFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(target_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void DurableFile::commit() {
  if (::fsync(descriptor_) != 0) fail(target_);
  if (::rename(name_.c_str(), target_.c_str()) != 0) fail(target_);
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
  if (descriptor < 0) fail(folder);
  const int result = ::fsync(descriptor);
  ::close(descriptor);
  if (result != 0) fail(folder);
}

std::string read_bytes(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY);
  if (descriptor < 0) fail(file);
  std::string bytes;
  char buffer[1 << 16];
  ssize_t count = 0;
  while ((count = ::read(descriptor, buffer, sizeof buffer)) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    bytes.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(descriptor);
  if (count < 0) fail(file);
  return bytes;
}

}  // namespace gradus
