#pragma once

#include <filesystem>

namespace gradus {

/// The right to write to a run folder, held by one process at a time and given back by the system
/// when that process ends, however it ends.
class RunLock {
 public:
  /// Throws InputError where another process, or another lock of this one, has it.
  explicit RunLock(const std::filesystem::path& folder);
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  ~RunLock();

  /// Whether somebody has it now; takes nothing.
  static bool is_held(const std::filesystem::path& folder);

 private:
  int descriptor_ = -1;
};

}  // namespace gradus
