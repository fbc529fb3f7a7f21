// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_lock.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gradus/core/error.h"
#include "gradus/files/file.h"

namespace gradus {
namespace {

std::filesystem::path lock_file(const std::filesystem::path& folder) {
  return folder / "lock";
}

// Locks the whole file. Open file description locks also exclude other threads of this process.
struct flock whole_file() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string());
}

// Whether the process has the file open. False if the process does not exist or is another user's.
bool has_open(pid_t process, const std::filesystem::path& file) {
  struct stat wanted = {};
  if (::stat(file.c_str(), &wanted) != 0) return false;
  std::error_code error;
  const std::string descriptors = "/proc/" + std::to_string(process) + "/fd";
  for (std::filesystem::directory_iterator entry(descriptors, error), end; !error && entry != end;
       entry.increment(error)) {
    struct stat open = {};
    if (::stat(entry->path().c_str(), &open) == 0 && open.st_dev == wanted.st_dev &&
        open.st_ino == wanted.st_ino) {
      return true;
    }
  }
  return false;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder) {
  const std::filesystem::path file = lock_file(folder);
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(file);
  struct flock lock = whole_file();
  if (::fcntl(descriptor_, F_OFD_SETLK, &lock) != 0) {
    const int error = errno;
    ::close(descriptor_);
    errno = error;
    if (error != EAGAIN && error != EACCES) fail(file);
    const std::string owner = read_file(file);
    throw InputError(folder.string() + ": another process" +
                     (owner.empty() ? "" : " (" + owner.substr(0, owner.find('\n')) + ")") +
                     " is working on this run");
  }
  // The process id is for people and holder(). Only the lock matters, so ignore write errors.
  const std::string owner = std::to_string(::getpid()) + "\n";
  if (::ftruncate(descriptor_, 0) != 0 ||
      ::write(descriptor_, owner.data(), owner.size()) != static_cast<ssize_t>(owner.size())) {
    errno = 0;
  }
}

RunLock::~RunLock() {
  ::close(descriptor_);
}

bool RunLock::is_held(const std::filesystem::path& folder) {
  const int descriptor = ::open(lock_file(folder).c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock lock = whole_file();
  const bool asked = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  ::close(descriptor);
  return asked && lock.l_type != F_UNLCK;
}

// The system does not tell who holds a lock of this kind. The process id in the file may be an old
// one, so make sure that this process has the file open.
std::optional<pid_t> RunLock::holder(const std::filesystem::path& folder) {
  if (!is_held(folder)) return std::nullopt;
  const auto process = static_cast<pid_t>(std::atol(read_file(lock_file(folder)).c_str()));
  if (process <= 0 || !has_open(process, lock_file(folder))) return std::nullopt;
  return process;
}

}  // namespace gradus
