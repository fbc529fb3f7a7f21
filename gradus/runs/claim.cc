// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/claim.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "gradus/core/text.h"
#include "gradus/files/file.h"
#include "gradus/runs/run_folder.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kBeatsPerLease = 6;
constexpr double kClockDifference = 600;  // seconds

fs::path claim_file(const fs::path& folder, int number) {
  return claims_folder(folder) / std::to_string(number);
}

int last_number(const fs::path& folder) {
  int last = 0;
  std::error_code error;
  fs::directory_iterator entry(claims_folder(folder), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const auto number = parse_number<int>(entry->path().filename().string());
    if (number) last = std::max(last, *number);
  }
  return last;
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

json to_json(const ClaimNote& note) {
  return {{"host", note.host}, {"boot", note.boot},       {"pid", note.pid},    {"job", note.job},
          {"beat", note.beat}, {"working", note.working}, {"lease", note.lease}};
}

// Creates an empty file unless it exists.
bool create(const fs::path& file) {
  const int created = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (created < 0 && errno == EEXIST) return false;
  if (created < 0) throw_errno(file);
  ::close(created);
  return true;
}

// Creates the file of a claim unless it exists. The file gets its name when it is complete, by a
// link: if this process dies before, others need not wait for a holder of whom they know nothing.
bool create_with_contents(const fs::path& folder, const ClaimNote& note) {
  const fs::path file = claim_file(folder, note.number);
  const fs::path next = file.string() + "." + note.host + "." + std::to_string(note.pid) + ".next";
  std::ofstream(next) << to_json(note).dump() << '\n';
  const bool linked = ::link(next.c_str(), file.c_str()) == 0;
  const int error = errno;
  std::error_code ignored;
  fs::remove(next, ignored);
  if (linked || error == EEXIST) return linked;
  return create(file);  // the file system has no hard links
}

// get() would also convert other numbers, with undefined results for large ones.
template <typename Whole>
Whole read_whole(const json& stored, const char* key) {
  const json value = stored.value(key, json(0));
  return value.is_number_float() ? Whole{0} : value.get<Whole>();
}

// A claim without contents is that of a holder who died at once on a file system without hard
// links. Others wait for a sign of life.
ClaimNote read_claim(const fs::path& folder, int number) {
  ClaimNote note;
  note.number = number;
  std::ifstream file(claim_file(folder, number));
  const json stored = json::parse(file, nullptr, false);
  if (!stored.is_object()) return note;
  note.host = stored.value("host", "");
  note.boot = stored.value("boot", "");
  note.pid = read_whole<std::int64_t>(stored, "pid");
  note.job = stored.value("job", "");
  note.working = stored.value("working", true);
  note.beat = read_whole<std::uint64_t>(stored, "beat");
  note.lease = std::clamp(stored.value("lease", note.lease), 0.1, 86400.0);
  return note;
}

}  // namespace

std::string ClaimNote::holder() const {
  if (pid == 0) return "unknown";
  return std::to_string(pid) + (is_local() ? "" : " on " + host);
}

bool ClaimNote::is_local() const {
  return !boot.empty() && boot == boot_id();
}

std::optional<ClaimNote> last_claim(const fs::path& folder) {
  const int number = last_number(folder);
  if (number == 0) return {};
  try {
    return read_claim(folder, number);
  } catch (const json::exception&) {  // a value of the wrong type
    ClaimNote unknown;
    unknown.number = number;
    return unknown;
  }
}

std::optional<double> long_silence(const fs::path& folder) {
  const std::optional<ClaimNote> claim = last_claim(folder);
  if (!claim || !claim->working || claim->is_local()) return {};
  std::error_code error;
  const auto written = fs::last_write_time(claim_file(folder, claim->number), error);
  const std::chrono::duration<double> silence = fs::file_time_type::clock::now() - written;
  if (error || silence.count() < claim->lease + kClockDifference) return {};
  return silence.count();
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string this_job() {
  for (const char* name : {"SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID"}) {
    const char* job = std::getenv(name);
    if (job != nullptr && *job != '\0') return job;
  }
  return "";
}

RunTaken::RunTaken(const fs::path& folder, const std::string& holder)
    : InputError(folder.string() + ": another process" +
                 (holder.empty() ? "" : " (" + holder + ")") + " is working on this run") {}

std::unique_ptr<Claim> Claim::make(const fs::path& folder, int number,
                                   std::chrono::duration<double> lease) {
  ClaimNote note;
  note.number = number;
  note.host = host_name();
  note.boot = boot_id();
  note.pid = ::getpid();
  note.job = this_job();
  note.lease = lease.count();
  fs::create_directories(claims_folder(folder));
  if (!create_with_contents(folder, note)) return nullptr;
  return std::unique_ptr<Claim>(new Claim(folder, std::move(note)));
}

Claim::Claim(fs::path folder, ClaimNote note) : folder_(std::move(folder)), note_(std::move(note)) {
  write();
  life_ = std::jthread([this](const std::stop_token& stop) { show_life(stop); });
}

Claim::~Claim() {
  life_.request_stop();
  life_.join();
  note_.working = false;
  write();
}

void Claim::check() const {
  const std::optional<ClaimNote> last = last_claim(folder_);
  if (last && last->number > note_.number) throw RunTaken(folder_, last->holder());
}

void Claim::show_life(const std::stop_token& stop) {
  const auto pause = std::chrono::duration<double>(note_.lease / kBeatsPerLease);
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) {
    ++note_.beat;
    write();
  }
}

// Replaces the file atomically. If that fails, others may take the run over, and check() will tell.
void Claim::write() noexcept {
  try {
    const fs::path file = claim_file(folder_, note_.number);
    const fs::path next = file.string() + ".next";
    std::ofstream(next) << to_json(note_).dump() << '\n';
    fs::rename(next, file);
  } catch (const std::exception&) {
  }
}

ClaimWatch::Holder ClaimWatch::look(const fs::path& folder, const ClaimNote& claim) {
  const auto now = std::chrono::steady_clock::now();
  const auto [entry, is_new] = sightings_.try_emplace(folder);
  Sighting& seen = entry->second;
  if (is_new || seen.number != claim.number) {
    seen = {claim.number, claim.beat, claim.beat, now};
  } else if (seen.beat != claim.beat) {
    seen.beat = claim.beat;
    seen.since = now;
  }
  if (now - seen.since > std::chrono::duration<double>(claim.lease)) return Holder::kDead;
  return seen.beat == seen.first_beat ? Holder::kUnknown : Holder::kAlive;
}

}  // namespace gradus
