// SPDX-License-Identifier: Apache-2.0
// The state of a run in a checkpoint, without the network. What is accepted can be saved and read
// again, and the run can go on from it.

#include <array>

#include <nlohmann/json.hpp>

#include "gradus/runs/runner.h"
#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {
namespace {

RunSettings tiny_settings(const std::string& gain) {
  RunSettings settings = default_settings("repeat-copy");
  apply_overrides({"gain=" + gain, "repeat_copy.max_length=2", "repeat_copy.max_repeats=2",
                   "network.cells=2", "batch=1", "steps=1000", "evaluation.interval=100",
                   "evaluation.sequences=1", "evaluation.all_tasks=true", "syllabus.reservoir=20"},
                  settings);
  return settings;
}

}  // namespace

GRADUS_FUZZ_TARGET(checkpoint)(const std::string& bytes) {
  // One core, so that no batches are prepared ahead.
  static std::array<Runner, 2> runners = {Runner(tiny_settings("lsg"), 1, 1),
                                          Runner(tiny_settings("frontier"), 1, 1)};
  static const std::array<Checkpoint, 2> fresh = {runners[0].save(), runners[1].save()};
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  const int which = json.is_object() && json.contains("frontier") ? 1 : 0;
  Runner& runner = runners[which];
  Checkpoint checkpoint = fresh[which];
  checkpoint.state = json;
  if (!accepted([&] { return runner.restore(checkpoint), true; })) return;
  const Checkpoint saved = runner.save();
  runner.restore(saved);
  require(runner.save().state == saved.state, "a state is read as it was saved");
  if (runner.evaluation_due()) runner.evaluate();
  accepted([&] { return runner.teach(), true; });
}

}  // namespace gradus::fuzz
