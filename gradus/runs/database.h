// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace gradus {

/// The database could not be read or written.
class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An open SQLite database. Failures throw a DatabaseError that names the file.
class Database {
 public:
  /// kRead: read only. kWrite: creates the file if it is missing, in write-ahead-log mode, so that
  /// others can read while this writes. That mode needs memory that readers and writer share, so it
  /// does not work between hosts. kPublish: works on a copy in memory; sync() atomically replaces
  /// the file with it. Readers on any host need no lock, since a published file never changes.
  enum class Access { kRead, kWrite, kPublish };
  /// Waits up to 5 seconds for a lock.
  Database(const std::filesystem::path& file, Access access);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  /// Runs statements that return no rows.
  void execute(const std::string& sql);
  /// Syncs everything committed so far to disk.
  void sync();
  /// If access is kPublish: replaces the file, unless that would take more than one percent of the
  /// time since the last replacement. The whole file is written, so it costs more as it grows.
  void publish_if_cheap();
  bool publishes() const { return access_ == Access::kPublish; }
  /// If access is kPublish: `check` is called right before the file is replaced, and throws to
  /// prevent that. A process may be suspended while it writes, and another may have taken its
  /// place.
  void check_before_publishing(std::function<void()> check) { may_publish_ = std::move(check); }
  /// Throws a DatabaseError with the file and the last error of SQLite.
  [[noreturn]] void fail() const;

 private:
  friend class Statement;
  void open();
  void load();
  void publish();

  using Clock = std::chrono::steady_clock;

  std::filesystem::path file_;
  Access access_;
  sqlite3* handle_ = nullptr;
  std::function<void()> may_publish_;
  Clock::time_point published_;
  Clock::duration publishing_{};  // time that the last replacement took
};

/// A prepared statement. Parameters count from 1, columns from 0. NaN is stored as NULL, and NULL
/// is read as NaN. text() throws a DatabaseError if the text is not UTF-8.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, double value);
  Statement& bind(int index, const std::string& value);
  /// Moves to the next row. Returns false at the end; the statement can then be run again.
  bool step();
  /// Runs a statement that returns no rows.
  void run();

  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string text(int column) const;
  bool is_null(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

/// Rolls back on destruction unless commit() succeeded.
class Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

/// Opens a database for reading and calls `read` in one transaction, so that it sees one moment. A
/// published file may be replaced meanwhile, which NFS can report as an error: `read` is then
/// called again, and must start over.
void read_snapshot(const std::filesystem::path& file, const std::function<void(Database&)>& read);

}  // namespace gradus
