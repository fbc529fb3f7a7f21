// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include <sys/types.h>

namespace gradus::serve {

/// Starts this program in new processes, which outlive the server. Thread-safe.
class Children {
 public:
  /// `program` is the path of this program.
  explicit Children(std::filesystem::path program) : program_(std::move(program)) {}

  /// Starts the program in a session of its own. It reads `input`, and its output is appended to
  /// `log`. If it fails within a second or so, throws an InputError with its last line of output.
  void start(const std::vector<std::string>& arguments, const std::string& input,
             const std::filesystem::path& log);
  /// Collects processes that have ended.
  void collect();

 private:
  std::filesystem::path program_;
  std::mutex mutex_;
  std::vector<pid_t> processes_;
};

}  // namespace gradus::serve
