// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include <sys/types.h>

namespace gradus {

/// An exclusive lock on a run folder. The operating system releases it when the process ends,
/// however it ends.
class RunLock {
 public:
  /// Throws InputError if another process, or another RunLock of this process, holds the lock.
  explicit RunLock(const std::filesystem::path& folder);
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  ~RunLock();

  /// Whether the lock is held now, by any process. Does not acquire it.
  static bool is_held(const std::filesystem::path& folder);
  /// The process that holds the lock. Empty if none does, or if it cannot be told, as for a process
  /// of another user or machine.
  static std::optional<pid_t> holder(const std::filesystem::path& folder);

 private:
  int descriptor_ = -1;
};

}  // namespace gradus
