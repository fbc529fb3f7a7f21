// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/comparisons.h"

#include <algorithm>

#include "gradus/core/error.h"
#include "gradus/report/document.h"
#include "gradus/report/json.h"
#include "gradus/serve/processor_time.h"

namespace gradus::serve {
namespace {

constexpr std::size_t kMostDocuments = 8;
constexpr std::size_t kMostSingleRuns = 64;
constexpr std::chrono::minutes kUnused(5);
constexpr std::chrono::seconds kLongestPause(20);

std::string wrapped(const std::string& document, bool current) {
  return std::string(R"({"current":)") + (current ? "true" : "false") + R"(,"document":)" +
         document + "}";
}

}  // namespace

std::string Comparisons::document(const std::vector<std::filesystem::path>& runs) {
  const std::lock_guard lock(mutex_);
  const auto start = processor_time();
  forget_unused();
  const auto known = std::ranges::find(made_, runs, &Made::runs);
  if (known != made_.end()) {
    const auto pause = std::min<Clock::duration>(kPauseFactor * known->cost, kLongestPause);
    if (Clock::now() - known->when < pause) return wrapped(known->text, false);
  }
  std::vector<std::string> notes;
  const bool changed = refresh(runs, notes);
  if (known != made_.end() && !changed) return wrapped(known->text, true);
  std::string text = make(runs, notes);
  if (known != made_.end()) made_.erase(known);
  made_.push_front({runs, text, Clock::now(), processor_time() - start});
  if (made_.size() > kMostDocuments) made_.pop_back();
  return wrapped(text, true);
}

// Returns whether any run may have changed.
bool Comparisons::refresh(const std::vector<std::filesystem::path>& runs,
                          std::vector<std::string>& notes) {
  bool changed = false;
  for (const std::filesystem::path& run : runs) {
    const auto found = followed_.try_emplace(run, Followed{RunFollower(run), {}}).first;
    found->second.used = Clock::now();
    try {
      if (found->second.follower.refresh(RunFollower::Depth::kAll)) changed = true;
    } catch (const std::exception& error) {
      notes.push_back(std::string(error.what()) + "; it is left out");
      followed_.erase(found);
      changed = true;
    }
  }
  return changed;
}

std::string Comparisons::make(const std::vector<std::filesystem::path>& runs,
                              const std::vector<std::string>& notes) {
  std::vector<RunRecord> records;
  for (const std::filesystem::path& run : runs) {
    const auto found = followed_.find(run);
    if (found != followed_.end()) records.push_back(found->second.follower.record());
  }
  if (records.empty()) throw InputError(notes.empty() ? "no run is selected" : notes.front());
  report::ReportOptions options;
  options.single_runs = records.size() <= kMostSingleRuns;
  report::Report report = report::make_report(std::move(records), options);
  report.grouping.notes.insert(report.grouping.notes.end(), notes.begin(), notes.end());
  return report::text_of(report::document_of(report));
}

void Comparisons::forget_unused() {
  const auto now = Clock::now();
  std::erase_if(followed_, [&](const auto& item) { return now - item.second.used > kUnused; });
}

}  // namespace gradus::serve
