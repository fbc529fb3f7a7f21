// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus {

class Database;

/// A run that is read again and again while it is being written. Each time, only rows that are new
/// are read. Not thread-safe.
class RunFollower {
 public:
  /// What is kept in memory: the last evaluation, or all of them with the values of tasks on the
  /// grid of thin_tasks(), as a report uses them.
  enum class Depth { kLast, kAll };

  /// `run` is a run folder or a record. Reads nothing yet.
  explicit RunFollower(std::filesystem::path run) { record_.folder = std::move(run); }

  /// Brings record() up to date and returns whether it may have changed. Only looks at the times of
  /// the files if they are unchanged. Once asked for, kAll stays in force. Throws like read_run().
  bool refresh(Depth depth = Depth::kLast);

  /// The run at the last refresh().
  const RunRecord& record() const { return record_; }

 private:
  struct Stamp {
    bool held = false;  // whether a process holds the lock
    std::vector<std::int64_t> files;
    bool operator==(const Stamp&) const = default;
  };
  Stamp stamp() const;
  bool is_replaced(Database& database) const;
  void start_over();
  void read(Database& database, bool held);
  void drop_rewritten_rows(Database& database, const std::vector<RunEvent>& events);
  void read_coarse_grid(Database& database);

  RunRecord record_;
  bool known_ = false;  // whether the facts have been read
  bool has_history_ = false;
  Stamp stamp_;
  std::int64_t last_event_ = 0;
};

}  // namespace gradus
