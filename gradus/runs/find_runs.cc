// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/find_runs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <system_error>

#include "gradus/core/error.h"
#include "gradus/runs/claim.h"
#include "gradus/runs/record_file.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_reader.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

bool is_run(const fs::path& folder) {
  return is_there(database_file(folder)) ||
         (is_there(config_file(folder)) && is_there(lock_file(folder)));
}

// Runs come and go while this looks for them, so it skips what it cannot read.
void find_below(const fs::path& folder, std::vector<fs::path>& runs) {
  if (is_run(folder)) runs.push_back(folder);
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const fs::path& path = entry->path();
    if (is_record(path)) {
      runs.push_back(path);
    } else if (!entry->is_symlink(ignored) && entry->is_directory(ignored) &&
               path != checkpoints_folder(folder)) {
      find_below(path, runs);
    }
  }
}

// What is wrong with a run, with its name.
std::string problem_of(const fs::path& run, const std::exception& error) {
  const std::string text = error.what();
  return text.starts_with(run.string()) ? text : run.string() + ": " + text;
}

}  // namespace

std::vector<fs::path> find_runs(const fs::path& folder) {
  if (is_record(folder)) return {folder};
  if (!fs::is_directory(folder)) throw InputError(folder.string() + ": is not a folder");
  std::vector<fs::path> runs;
  find_below(folder, runs);
  std::ranges::sort(runs);
  return runs;
}

std::vector<fs::path> find_runs(const std::vector<std::string>& folders) {
  std::set<fs::path> seen;
  std::vector<fs::path> runs;
  for (const std::string& folder : folders) {
    const std::vector<fs::path> found = find_runs(fs::path(folder));
    if (found.empty()) throw contains_no_run(folder);
    for (const fs::path& run : found) {
      if (seen.insert(fs::weakly_canonical(run)).second) runs.push_back(run);
    }
  }
  return runs;
}

std::optional<RunRecord> read_unless_broken(const fs::path& run, const Note& note) {
  try {
    return read_run(run);
  } catch (const std::exception& error) {
    note(problem_of(run, error));
    return {};
  }
}

std::int64_t FoundRun::steps() const {
  return run.metrics.empty() ? 0 : run.metrics.back().steps;
}

std::int64_t FoundRun::total_steps() const {
  return std::atoll(setting_of(run, "steps", "0").c_str());
}

double FoundRun::steps_per_second() const {
  const double rate = run.timing.empty() ? 0 : run.timing.back().steps_per_second;
  return rate > 0 ? rate : 0;  // NaN before the first batch
}

double FoundRun::seconds_left() const {
  const double rate = steps_per_second();
  if (run.status != "running" || rate == 0 || total_steps() == 0) return NAN;
  return static_cast<double>(std::max<std::int64_t>(total_steps() - steps(), 0)) / rate;
}

std::string FoundRun::host() const {
  const auto claim = last_claim(run.folder);
  return claim ? claim->host : "";
}

std::string FoundRun::reason() const {
  if (!problem.empty()) return problem;
  if (run.status == "failed") return last_failure(run.folder);
  const auto silence = run.status == "running" ? long_silence(run.folder) : std::nullopt;
  if (!silence) return "";
  return "no sign of life for " + std::to_string(std::lround(*silence / 60)) +
         " minutes; gradus sweep --worker or gradus resume takes it over";
}

FoundRun read_found(const fs::path& run) {
  FoundRun found;
  try {
    found.run = read_latest(run);
  } catch (const std::exception& error) {
    found.run = {};
    found.problem = problem_of(run, error);
  }
  found.run.folder = run;
  return found;
}

std::vector<FoundRun> scan_runs(const fs::path& folder) {
  std::vector<FoundRun> found;
  for (const fs::path& run : find_runs(folder)) found.push_back(read_found(run));
  return found;
}

bool is_finished(const fs::path& folder) {
  return fs::exists(config_file(folder)) && read_found(folder).run.status == "finished";
}

}  // namespace gradus
