// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/database.h"

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <system_error>

#include <sqlite3.h>
#include <sys/stat.h>

#include "gradus/files/file.h"
#include "gradus/files/utf8.h"

namespace gradus {
namespace {

// Publishing takes at most one part in this many of a run's time.
constexpr int kPublishingShare = 100;
constexpr int kMostReads = 5;

// Changes whenever the file is replaced.
std::array<std::int64_t, 3> identity(const std::filesystem::path& file) {
  struct stat facts = {};
  if (::stat(file.c_str(), &facts) != 0) return {};
  return {static_cast<std::int64_t>(facts.st_ino), facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
}

}  // namespace

Database::Database(const std::filesystem::path& file, Access access)
    : file_(file), access_(access) {
  try {
    open();
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

void Database::open() {
  const int flags =
      access_ == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const char* name = publishes() ? ":memory:" : file_.c_str();
  if (sqlite3_open_v2(name, &handle_, flags, nullptr) != SQLITE_OK) fail();
  sqlite3_busy_timeout(handle_, 5000);
  // Ours has no views. In a database from elsewhere, one may have endless rows.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  // In this mode a commit does not sync. Callers use sync() when they need durability.
  if (access_ == Access::kWrite) {
    execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  }
  if (publishes() && std::filesystem::exists(file_)) load();
}

// Reads the file through SQLite, because part of it may still be in a write-ahead log.
void Database::load() {
  const Database stored(file_, Access::kRead);
  sqlite3_backup* backup = sqlite3_backup_init(handle_, "main", stored.handle_, "main");
  if (!backup) fail();
  sqlite3_backup_step(backup, -1);
  if (sqlite3_backup_finish(backup) != SQLITE_OK) fail();
}

void Database::publish() {
  const Clock::time_point start = Clock::now();
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
      sqlite3_serialize(handle_, "main", &size, 0), sqlite3_free);
  if (!bytes) fail();
  // The file format's versions for reading and writing: 1, without a write-ahead log.
  if (size > 19) bytes.get()[18] = bytes.get()[19] = 1;
  DurableFile file(file_);
  file.write({reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)});
  file.sync();
  if (may_publish_) may_publish_();
  try {
    file.commit();
  } catch (const std::system_error&) {
    if (may_publish_) may_publish_();  // says so if a successor has removed the file just now
    throw;
  }
  sync_folder(file_.parent_path());
  published_ = Clock::now();
  publishing_ = published_ - start;
}

void Database::publish_if_cheap() {
  if (publishes() && Clock::now() - published_ >= kPublishingShare * publishing_) publish();
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Database::sync() {
  if (publishes()) return publish();
  const int done =
      sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_FULL, nullptr, nullptr);
  // SQLITE_BUSY: a reader of an older state keeps part of the log from being moved into the
  // database. The log itself is on disk.
  if (done != SQLITE_OK && done != SQLITE_BUSY) fail();
}

void Database::fail() const {
  throw DatabaseError(file_.string() + ": " + sqlite3_errmsg(handle_));
}

Statement::Statement(Database& database, const std::string& sql) : database_(database) {
  if (sqlite3_prepare_v2(database_.handle_, sql.c_str(), -1, &handle_, nullptr) != SQLITE_OK) {
    database_.fail();
  }
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

Statement& Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(handle_, index, value);
  return *this;
}

Statement& Statement::bind(int index, double value) {
  if (std::isnan(value)) {
    sqlite3_bind_null(handle_, index);
  } else {
    sqlite3_bind_double(handle_, index, value);
  }
  return *this;
}

Statement& Statement::bind(int index, const std::string& value) {
  sqlite3_bind_text(handle_, index, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(handle_);
  if (result == SQLITE_ROW) return true;
  const int reset = sqlite3_reset(handle_);
  if (result != SQLITE_DONE || reset != SQLITE_OK) database_.fail();
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::number(int column) const {
  return is_null(column) ? std::numeric_limits<double>::quiet_NaN()
                         : sqlite3_column_double(handle_, column);
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  if (!bytes) return "";
  std::string text(bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
  if (find_invalid_utf8(text) != std::string::npos) {
    throw DatabaseError(database_.file_.string() + ": is damaged: a text is not UTF-8");
  }
  return text;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const DatabaseError&) {
    // A failed COMMIT may already have rolled back.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

void read_snapshot(const std::filesystem::path& file, const std::function<void(Database&)>& read) {
  for (int reads = 1;; ++reads) {
    const auto before = identity(file);
    try {
      Database database(file, Database::Access::kRead);
      database.execute("BEGIN");
      read(database);
      database.execute("COMMIT");
      return;
    } catch (const DatabaseError&) {
      if (reads == kMostReads || identity(file) == before) throw;
    }
  }
}

}  // namespace gradus
