// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "gradus/core/error.h"

namespace gradus {

/// Time without a sign of life after which the holder of a claim counts as dead.
constexpr std::chrono::seconds kLease{60};

/// What the file of a claim says. A run's folder contains one per process that has worked on the
/// run: claims/1, claims/2, ... Only the last one counts.
struct ClaimNote {
  int number = 0;
  std::string host;
  std::string boot;  ///< identifies the running kernel of that host
  std::int64_t pid = 0;
  std::string job;         ///< of Slurm; empty if there is none
  bool working = true;     ///< false once the holder has released the claim
  std::uint64_t beat = 0;  ///< counts the holder's signs of life
  double lease = static_cast<double>(kLease.count());  ///< seconds

  /// The process, for messages: "1234", or "1234 on HOST" if that is another machine.
  std::string holder() const;
  /// Whether the holder runs under this machine's kernel, whose locks are reliable.
  bool is_local() const;
};

/// The last claim on the run in `folder`, or nothing if there was none.
std::optional<ClaimNote> last_claim(const std::filesystem::path& folder);

/// Seconds since the last sign of life of a holder on another host, or nothing if that is too short
/// to mean anything: this compares the clocks of two machines, which may differ by minutes.
std::optional<double> long_silence(const std::filesystem::path& folder);

/// The name of this machine; empty if it has none.
std::string host_name();

/// Slurm's id of the job that this process belongs to, or of its array; empty if there is none.
std::string this_job();

/// Thrown if another process works on the run.
class RunTaken : public InputError {
 public:
  RunTaken(const std::filesystem::path& folder, const std::string& holder);
};

/// A claim that this process holds. Locks of the operating system may not reach other hosts, so a
/// process also claims the run that it works on: it creates the file with the next number, which
/// only one process can, and rewrites it several times per lease as a sign of life. Others compare
/// what they read with what they read before, so clocks may differ.
class Claim {
 public:
  /// Creates claim `number`, which must be one above the last. Returns null if it already exists.
  /// Throws std::system_error if the file cannot be written.
  static std::unique_ptr<Claim> make(const std::filesystem::path& folder, int number,
                                     std::chrono::duration<double> lease);
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  /// Releases the claim.
  ~Claim();

  /// Throws RunTaken if another process took the run over because this one gave no sign of life.
  void check() const;

 private:
  Claim(std::filesystem::path folder, ClaimNote note);
  void show_life(const std::stop_token& stop);
  void write() noexcept;

  std::filesystem::path folder_;
  ClaimNote note_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread life_;
};

/// Finds out which holders are dead, by looking at their claims again and again.
class ClaimWatch {
 public:
  enum class Holder { kUnknown, kAlive, kDead };
  /// kDead after the claim's lease has passed without a sign of life, kAlive once there was one
  /// since the first look.
  Holder look(const std::filesystem::path& folder, const ClaimNote& claim);

 private:
  struct Sighting {
    int number = 0;
    std::uint64_t first_beat = 0;
    std::uint64_t beat = 0;
    std::chrono::steady_clock::time_point since;
  };
  std::map<std::filesystem::path, Sighting> sightings_;
};

}  // namespace gradus
