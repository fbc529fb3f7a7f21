// SPDX-License-Identifier: Apache-2.0
// The state of a run in a checkpoint, without the network. What is accepted can be saved and read
// again, and the run can go on from it.

#include <array>

#include <nlohmann/json.hpp>

#include "gradus/runs/runner.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {
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
}  // namespace gradus

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  // One core, so that no batches are prepared ahead.
  static std::array<Runner, 2> runners = {Runner(tiny_settings("lsg"), 1, 1),
                                          Runner(tiny_settings("frontier"), 1, 1)};
  static const std::array<Checkpoint, 2> fresh = {runners[0].save(), runners[1].save()};
  const auto json = nlohmann::json::parse(data, data + size, nullptr, false);
  if (json.is_discarded()) return 0;
  const int which = json.is_object() && json.contains("frontier") ? 1 : 0;
  Runner& runner = runners[which];
  Checkpoint checkpoint = fresh[which];
  checkpoint.state = json;
  if (!fuzz::accepted([&] { return runner.restore(checkpoint), true; })) return 0;
  const Checkpoint saved = runner.save();
  runner.restore(saved);
  fuzz::require(runner.save().state == saved.state, "a state is read as it was saved");
  if (runner.evaluation_due()) runner.evaluate();
  fuzz::accepted([&] { return runner.teach(), true; });
  return 0;
}
