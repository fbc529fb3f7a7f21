#pragma once

#include <cstdint>
#include <filesystem>
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

/// An open SQLite database. Failures throw DatabaseError that names the file.
class Database {
 public:
  enum class Access { kRead, kWrite };
  /// To write makes the file where it is missing, in write-ahead mode, so that others read while
  /// this writes. A reader waits a few seconds for a lock, at most.
  Database(const std::filesystem::path& file, Access access);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  /// Runs statements that return nothing.
  void execute(const std::string& sql);
  /// Brings everything committed so far to the disk.
  void sync();
  [[noreturn]] void fail() const;

 private:
  friend class Statement;
  std::filesystem::path file_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement. Values are bound from 1 on and columns are read from 0 on. A NaN is
/// stored as NULL and a NULL is read as NaN.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, double value);
  Statement& bind(int index, const std::string& value);
  /// The next row; false at the end, after which the statement can be used anew.
  bool step();
  /// For statements that return nothing.
  void run();

  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string text(int column) const;
  bool is_null(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

/// All or nothing: what is not committed is undone.
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

}  // namespace gradus
