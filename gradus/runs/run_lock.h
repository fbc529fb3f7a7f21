// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include <sys/types.h>

#include "gradus/runs/claim.h"

namespace gradus {

/// The exclusive right to work on a run. It consists of a lock, which the operating system releases
/// when the process ends, however it ends, and of a claim, which also works between hosts.
class RunLock {
 public:
  /// Throws RunTaken if another process, or another RunLock of this process, works on the run. The
  /// holder of a claim on another host counts as alive, unless the claim's number is at most
  /// `dead`.
  explicit RunLock(const std::filesystem::path& folder, int dead = 0,
                   std::chrono::duration<double> lease = kLease);
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  ~RunLock();

  /// Throws RunTaken if another host took the run over. Call it before writing to the folder.
  void check() const { claim_->check(); }

  /// Whether a process works on the run now. One on another host may have died. Does not acquire
  /// the lock.
  static bool is_held(const std::filesystem::path& folder);
  /// The process that holds the lock. Empty if none does, or if it cannot be told, as for a process
  /// of another user or machine.
  static std::optional<pid_t> holder(const std::filesystem::path& folder);

 private:
  int descriptor_ = -1;
  pid_t owner_;
  std::unique_ptr<Claim> claim_;
};

}  // namespace gradus
