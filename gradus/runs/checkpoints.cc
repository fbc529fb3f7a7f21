// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/checkpoints.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/files/checksums.h"
#include "gradus/files/file.h"
#include "gradus/nn/torch_names.h"
#include "gradus/runs/safetensors.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kKept = 2;
constexpr std::uint64_t kFormat = 2;
constexpr std::uint64_t kFirstFormat = 1;  // the whole learner in weights.safetensors
constexpr const char* kStep = "step-";
constexpr const char* kBest = "best-";
constexpr const char* kWeights = "weights.safetensors";
constexpr const char* kTraining = "training.safetensors";
constexpr const char* kState = "state.json";
constexpr const char* kSums = "SHA256SUMS";

// Parses the step count from a checkpoint's folder name. Returns nothing if the name has another
// form.
std::optional<std::int64_t> steps_in(const fs::path& path, const std::string& kind) {
  const std::string name = path.filename().string();
  if (!name.starts_with(kind) || name.size() < 6 || name.size() > 23) return {};
  std::int64_t steps = 0;
  for (const char c : name.substr(5)) {
    if (c < '0' || c > '9') return {};
    steps = steps * 10 + (c - '0');
  }
  return steps;
}

// Sorted by steps, newest first.
std::vector<fs::path> named_checkpoints(const fs::path& folder, const std::string& kind) {
  std::vector<fs::path> found;
  if (!fs::exists(folder)) return found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (steps_in(entry.path(), kind)) found.push_back(entry.path());
  }
  std::ranges::sort(found, std::greater{}, [&](const fs::path& p) { return *steps_in(p, kind); });
  return found;
}

// Removes what an interrupted save or removal left behind: its names begin with a dot.
void remove_hidden(const fs::path& folder) {
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

// The files of a checkpoint by name, in the order of SHA256SUMS.
using Files = std::vector<std::pair<std::string, std::string>>;

std::string sum_of(const std::string& name, const std::string& bytes) {
  return sha256(bytes) + "  " + name + "\n";
}

std::string sums(const Files& files) {
  std::string text;
  for (const auto& [name, bytes] : files) text += sum_of(name, bytes);
  return text;
}

std::string folder_name(const char* kind, std::int64_t steps) {
  return fmt::format("{}{:015}", kind, steps);
}

// Does nothing if the folder exists: same steps, same contents.
void write_folder(const fs::path& target, const Files& files) {
  if (fs::exists(target)) return;
  const fs::path hidden = target.parent_path() / ("." + target.filename().string() + ".new");
  try {
    fs::remove_all(hidden);
    fs::create_directory(hidden);
    for (const auto& [name, bytes] : files) write_durably(hidden / name, bytes);
    write_durably(hidden / kSums, sums(files));
    sync_folder(hidden);
    fs::rename(hidden, target);
    sync_folder(target.parent_path());
  } catch (const std::system_error&) {
    std::error_code ignored;
    fs::remove_all(hidden, ignored);
    throw;
  }
}

// The order of the learner's tensors: the network, then the others. With vi the network's are the
// means of the weights.
std::vector<Tensor> learner_tensors(const std::string& weights, const std::string& training) {
  std::vector<Tensor> tensors = read_network_file(weights).tensors;
  std::vector<Tensor> others = from_safetensors(training);
  if (!others.empty() && others.front().name.starts_with("width.")) {
    for (Tensor& tensor : tensors) tensor.name = "mean." + tensor.name;
  }
  std::ranges::move(others, std::back_inserter(tensors));
  return tensors;
}

Checkpoint read(const fs::path& folder) {
  const bool first_format = !fs::exists(folder / kTraining);
  const std::string weights = read_file(folder / kWeights);
  const std::string training = first_format ? "" : read_file(folder / kTraining);
  const std::string state = read_file(folder / kState);
  Files files = {{kWeights, weights}, {kTraining, training}, {kState, state}};
  if (first_format) files.erase(files.begin() + 1);
  if (read_file(folder / kSums) != sums(files)) {
    throw InputError("its files do not match SHA256SUMS");
  }
  const json parsed = json::parse(state);
  if (read_count(parsed, "format") != (first_format ? kFirstFormat : kFormat)) {
    throw InputError("this version cannot read its format");
  }
  Checkpoint checkpoint;
  checkpoint.steps = *steps_in(folder, kStep);
  checkpoint.learner.tensors =
      first_format ? from_safetensors(weights) : learner_tensors(weights, training);
  checkpoint.learner.updates = read_count(parsed, "updates");
  checkpoint.learner.loss_scale = parsed.value("loss_scale", 0.0);
  checkpoint.state = parsed.at("run");
  return checkpoint;
}

FoundNetwork read_network(const fs::path& folder) {
  const bool is_best = steps_in(folder, kBest).has_value();
  const std::string weights = read_file(folder / kWeights);
  if (read_file(folder / kSums).find(sum_of(kWeights, weights)) == std::string::npos) {
    throw InputError("its weights do not match SHA256SUMS");
  }
  if (!is_best && !fs::exists(folder / kTraining)) {
    throw InputError(
        "an earlier version of gradus wrote it: gradus resume reads it and writes new "
        "ones");
  }
  return {read_network_file(weights), *steps_in(folder, is_best ? kBest : kStep), is_best};
}

}  // namespace

void Checkpoints::save(const Checkpoint& checkpoint) const {
  fs::create_directories(folder_);
  const auto network_file = [&](std::span<const Tensor> tensors) {
    return to_network_file(
        {{tensors.begin(), tensors.end()}, checkpoint.data, checkpoint.vocabulary});
  };
  if (checkpoint.best) {
    write_folder(folder_ / folder_name(kBest, checkpoint.best->steps),
                 {{kWeights, network_file(checkpoint.best->tensors)}});
  }
  const std::span<const Tensor> tensors = checkpoint.learner.tensors;
  const std::size_t network = network_size(tensors);
  const auto others = tensors.subspan(network);
  const std::string state = json{
      {"format", kFormat},
      {"updates", checkpoint.learner.updates},
      {"loss_scale", checkpoint.learner.loss_scale},
      {"run", checkpoint.state}}.dump(1);
  write_folder(folder_ / folder_name(kStep, checkpoint.steps),
               {{kWeights, network_file(tensors.first(network))},
                {kTraining, to_safetensors({others.begin(), others.end()}, {{"writer", "gradus"}})},
                {kState, state}});
  remove_hidden(folder_);
  // If another host took the run over a moment ago, there are newer ones, which stay.
  remove_old();
}

void Checkpoints::tidy(std::int64_t newest) const {
  if (!fs::exists(folder_)) return;
  remove_hidden(folder_);
  for (const fs::path& path : named_checkpoints(folder_, kStep)) {
    if (*steps_in(path, kStep) > newest) remove_checkpoint(path);
  }
  for (const fs::path& path : named_checkpoints(folder_, kBest)) {
    if (newest < 0) remove_checkpoint(path);
  }
  remove_old();
}

void Checkpoints::remove_old() const {
  const auto keep = [&](const auto& prefix, std::size_t count) {
    std::size_t kept = 0;
    for (const fs::path& path : named_checkpoints(folder_, prefix)) {
      if (++kept > count) remove_checkpoint(path);
    }
  };
  keep(kStep, kKept);
  keep(kBest, 1);
}

std::optional<Checkpoint> Checkpoints::load(const Note& note) const {
  const std::vector<fs::path> named = named_checkpoints(folder_, kStep);
  for (const fs::path& path : named) {
    try {
      return read(path);
    } catch (const std::exception& error) {
      note("checkpoint " + path.string() + " is damaged (" + error.what() + ")" +
           (path == named.back() ? "" : "; falling back to the one before it"));
    }
  }
  return {};
}

FoundNetwork Checkpoints::load_network(const std::string& which, const Note& note) const {
  std::vector<fs::path> named;
  for (const char* kind : {kBest, kStep}) {
    if (which == (kind == std::string(kBest) ? "last" : "best")) continue;
    std::ranges::move(named_checkpoints(folder_, kind), std::back_inserter(named));
  }
  for (const fs::path& path : named) {
    try {
      return read_network(path);
    } catch (const std::exception& error) {
      // A run that is training has replaced it.
      if (!fs::exists(path)) return load_network(which, note);
      const std::string damage =
          "checkpoint " + path.string() + " cannot be used (" + error.what() + ")";
      if (path == named.back()) throw InputError(damage);
      note(damage + "; using the one before it");
    }
  }
  throw InputError(folder_.string() + ": has no " + (which == "best" ? "best " : "") +
                   "checkpoint; a run writes one every checkpoint.seconds and at its end");
}

}  // namespace gradus
