// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/checkpoints.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/files/checksums.h"
#include "gradus/files/file.h"
#include "gradus/runs/safetensors.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kKept = 2;
constexpr int kFormat = 1;
constexpr const char* kWeights = "weights.safetensors";
constexpr const char* kState = "state.json";
constexpr const char* kSums = "SHA256SUMS";

// Parses the step count from a checkpoint's folder name. Returns nothing if the name has another
// form.
std::optional<std::int64_t> steps_in(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with("step-") || name.size() < 6 || name.size() > 23) return {};
  std::int64_t steps = 0;
  for (const char c : name.substr(5)) {
    if (c < '0' || c > '9') return {};
    steps = steps * 10 + (c - '0');
  }
  return steps;
}

// Sorted by steps, newest first.
std::vector<fs::path> named_checkpoints(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!fs::exists(folder)) return found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (steps_in(entry.path())) found.push_back(entry.path());
  }
  std::ranges::sort(found, std::greater{}, [](const fs::path& p) { return *steps_in(p); });
  return found;
}

// Removes what an interrupted save or removal left behind.
void remove_leftovers(const fs::path& folder) {
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(".")) leftovers.push_back(entry.path());
  }
  for (const fs::path& path : leftovers) fs::remove_all(path);
}

// Renames it first, so that a folder named like a checkpoint is always complete.
void remove_checkpoint(const fs::path& checkpoint) {
  const fs::path hidden =
      checkpoint.parent_path() / ("." + checkpoint.filename().string() + ".old");
  fs::rename(checkpoint, hidden);
  fs::remove_all(hidden);
}

std::string sums(const std::string& weights, const std::string& state) {
  return sha256(weights) + "  " + kWeights + "\n" + sha256(state) + "  " + kState + "\n";
}

Checkpoint read(const fs::path& folder) {
  const std::string weights = read_file(folder / kWeights);
  const std::string state = read_file(folder / kState);
  if (read_file(folder / kSums) != sums(weights, state)) {
    throw InputError("its files do not match SHA256SUMS");
  }
  const json parsed = json::parse(state);
  if (read_count(parsed, "format") != kFormat) throw InputError("its format is unknown");
  Checkpoint checkpoint;
  checkpoint.steps = *steps_in(folder);
  checkpoint.learner.tensors = from_safetensors(weights);
  checkpoint.learner.updates = read_count(parsed, "updates");
  checkpoint.learner.loss_scale = parsed.value("loss_scale", 0.0);
  checkpoint.state = parsed.at("run");
  return checkpoint;
}

}  // namespace

void Checkpoints::save(const Checkpoint& checkpoint) const {
  fs::create_directories(folder_);
  const std::string name = fmt::format("step-{:015}", checkpoint.steps);
  const fs::path target = folder_ / name;
  if (fs::exists(target)) return;  // same steps, same state: nothing to do
  const std::string weights = to_safetensors(checkpoint.learner.tensors, {{"writer", "gradus"}});
  const std::string state = json{
      {"format", kFormat},
      {"updates", checkpoint.learner.updates},
      {"loss_scale", checkpoint.learner.loss_scale},
      {"run", checkpoint.state}}.dump(1);
  const fs::path hidden = folder_ / ("." + name + ".new");
  try {
    fs::remove_all(hidden);
    fs::create_directory(hidden);
    write_durably(hidden / kWeights, weights);
    write_durably(hidden / kState, state);
    write_durably(hidden / kSums, sums(weights, state));
    sync_folder(hidden);
    fs::rename(hidden, target);
    sync_folder(folder_);
  } catch (const std::system_error&) {
    std::error_code ignored;
    fs::remove_all(hidden, ignored);
    throw;
  }
  tidy(checkpoint.steps);
}

void Checkpoints::tidy(std::int64_t newest) const {
  if (!fs::exists(folder_)) return;
  remove_leftovers(folder_);
  std::size_t kept = 0;
  for (const fs::path& path : named_checkpoints(folder_)) {
    if (*steps_in(path) > newest || ++kept > kKept) remove_checkpoint(path);
  }
}

std::optional<Checkpoint> Checkpoints::load(
    const std::function<void(const std::string&)>& say) const {
  const std::vector<fs::path> named = named_checkpoints(folder_);
  for (const fs::path& path : named) {
    try {
      return read(path);
    } catch (const std::exception& error) {
      say("checkpoint " + path.string() + " is damaged (" + error.what() + ")" +
          (path == named.back() ? "" : "; falling back to the one before it"));
    }
  }
  return {};
}

}  // namespace gradus
