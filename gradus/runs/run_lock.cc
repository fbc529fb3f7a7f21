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
#include "gradus/runs/run_folder.h"

namespace gradus {
namespace {

// Locks the whole file. Open file description locks also exclude other threads of this process.
struct flock whole_file() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
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

// Returns false if the file system has no locks.
bool lock(int descriptor, const std::filesystem::path& folder) {
  struct flock lock = whole_file();
  if (::fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return true;
  if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) return false;
  if (errno != EAGAIN && errno != EACCES) throw_errno(lock_file(folder));
  const std::string owner = read_file(lock_file(folder));
  throw RunTaken(folder, owner.substr(0, owner.find('\n')));
}

// If this process has the lock, a holder on the same machine has died.
std::unique_ptr<Claim> claim(const std::filesystem::path& folder, int dead, bool locked,
                             std::chrono::duration<double> lease) {
  while (true) {
    const std::optional<ClaimNote> last = last_claim(folder);
    if (last && last->working && last->number > dead && !(locked && last->is_local())) {
      throw RunTaken(folder, last->holder());
    }
    // Null if another process was faster.
    auto claim = Claim::make(folder, last ? last->number + 1 : 1, lease);
    if (claim) return claim;
  }
}

// The process id is for people and holder(). Only the lock matters, so ignore write errors.
void write_owner(int descriptor) {
  const std::string owner = std::to_string(::getpid()) + "\n";
  if (::ftruncate(descriptor, 0) != 0 ||
      ::write(descriptor, owner.data(), owner.size()) != static_cast<ssize_t>(owner.size())) {
    errno = 0;
  }
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder, int dead, std::chrono::duration<double> lease)
    : owner_(::getpid()) {
  const std::filesystem::path file = lock_file(folder);
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_errno(file);
  try {
    const bool locked = lock(descriptor_, folder);
    if (locked) write_owner(descriptor_);  // at once: holder() may be called at any time
    claim_ = claim(folder, dead, locked, lease);
    remove_leftovers(folder);
    if (!locked) write_owner(descriptor_);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

// Unlocks explicitly: children of this process, such as those of a Python program, may have the
// file open too. None of them may release the lock of their parent.
RunLock::~RunLock() {
  claim_.reset();
  struct flock lock = whole_file();
  lock.l_type = F_UNLCK;
  if (::getpid() == owner_) ::fcntl(descriptor_, F_OFD_SETLK, &lock);
  ::close(descriptor_);
}

bool RunLock::is_held(const std::filesystem::path& folder) {
  const int descriptor = ::open(lock_file(folder).c_str(), O_RDWR | O_CLOEXEC);
  struct flock lock = whole_file();
  const bool asked = descriptor >= 0 && ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  if (descriptor >= 0) ::close(descriptor);
  if (asked && lock.l_type != F_UNLCK) return true;
  const std::optional<ClaimNote> last = last_claim(folder);
  return last && last->working && !(asked && last->is_local());
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
