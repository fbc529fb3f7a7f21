// SPDX-License-Identifier: Apache-2.0
// Costs of storing a run: one evaluation and one checkpoint, synced to disk. Prints both next to
// the training time between them, for the demo and at the paper's size.

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "gradus/runs/checkpoints.h"
#include "gradus/runs/run_store.h"
#include "gradus/runs/runner.h"

namespace {

using namespace gradus;

double milliseconds(const auto& action, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) action(i);
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  return spent.count() / times;
}

void measure(const char* name, const RunSettings& settings, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  Runner runner(settings, 1);
  const double batch = milliseconds([&](int) { runner.teach(); }, 20);
  const double steps = static_cast<double>(runner.steps()) / 20;
  Metrics metrics = runner.evaluate();
  RunStore store(folder);
  store.describe(setting_texts(settings), runner.curriculum().tasks(),
                 runner.curriculum().target());
  const double row = milliseconds(
      [&](int i) {
        metrics.steps = i;
        store.add(metrics, runner.task_metrics(), {i, 0, 0});
      },
      200);
  const Checkpoints checkpoints(folder / "checkpoints");
  Checkpoint checkpoint = runner.save();
  const double save = milliseconds(
      [&](int i) {
        checkpoint.steps = i;
        store.sync();
        checkpoints.save(checkpoint);
      },
      10);
  const double between = batch * static_cast<double>(settings.evaluation_interval) / steps;
  std::printf("%-12s  evaluation stored in %.2f ms, %.3f%% of the training time between two\n",
              name, row, 100 * row / between);
  std::printf("%-12s  checkpoint saved in %.1f ms, %.3f%% of the %.0f s between two\n", name, save,
              100 * save / (1000 * settings.checkpoint_seconds), settings.checkpoint_seconds);
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "build/store_benchmark";
  RunSettings demo;
  load_settings("configs/demo/repeat-copy.toml", demo);
  measure("demo", demo, folder / "demo");
  RunSettings paper;
  load_settings("configs/paper/repeat-copy.toml", paper);
  paper.evaluation_all_tasks = false;
  measure("repeat copy", paper, folder / "paper");
  std::filesystem::remove_all(folder);
}
