// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/reward_log.h"

#include <fstream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "gradus/core/error.h"
#include "gradus/files/file.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

// The size in bytes of the header and the first `rows` rows. A row that was cut off does not count.
std::uintmax_t size_of(const fs::path& file, std::uint64_t rows) {
  std::ifstream log(file);
  std::string line;
  std::uintmax_t size = 0;
  for (std::uint64_t lines = 0; lines <= rows; ++lines) {
    if (!std::getline(log, line) || log.eof()) {
      throw InputError(file.string() + ": has " + std::to_string(lines == 0 ? 0 : lines - 1) +
                       " rewards, but the checkpoint comes after " + std::to_string(rows) +
                       "; set syllabus.log to false in config.toml to continue without the log");
    }
    size += line.size() + 1;
  }
  return size;
}

}  // namespace

fs::path reward_log_file(const fs::path& folder) {
  return folder / "rewards.csv";
}

ReplayLog read_reward_log(const fs::path& folder) {
  const fs::path file = reward_log_file(folder);
  if (fs::exists(file)) return read_replay_log(file);
  throw InputError(folder.string() +
                   ": the run has no rewards.csv; runs with syllabus.log=true write one, except "
                   "the baselines, which earn no rewards");
}

RewardLog::RewardLog(const fs::path& folder, std::uint64_t rows) : file_(reward_log_file(folder)) {
  const std::uintmax_t size = rows == 0 ? 0 : size_of(file_, rows);
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_errno(file_);
  try {
    if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) throw_errno(file_);
    if (size == 0) {
      write_all(descriptor_, std::string(kReplayHeader) + "\n", file_);
      sync_folder(folder);
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

RewardLog::~RewardLog() {
  ::close(descriptor_);
}

void RewardLog::add(const ReplayRow& row) {
  write_all(descriptor_,
            std::to_string(row.task) + "," + to_text(row.progress) + "," + to_text(row.cost) + "\n",
            file_);
}

void RewardLog::sync() {
  if (::fsync(descriptor_) != 0) throw_errno(file_);
}

}  // namespace gradus
