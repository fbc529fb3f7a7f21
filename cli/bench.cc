// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/table.h"
#include "gradus/core/batch_source.h"
#include "gradus/core/text.h"
#include "gradus/gains/gains.h"
#include "gradus/nn/cpu/fast/products.h"
#include "gradus/runs/runner.h"

namespace gradus::cli {
namespace {

struct BenchOptions {
  std::vector<std::string> overrides;
  int rounds = 7;
  int threads = 1;
  bool json = false;
};

// One network, trained while one gain is measured, or none.
struct Variant {
  ObjectiveKind objective;
  std::string gain;  // "none" for plain training
  Needs needs;
  std::unique_ptr<Learner> learner;
  std::vector<double> seconds;
};

ObjectiveKind objective_of(const Needs& needs) {
  if (needs.kl || needs.kl_dot_gradient) return ObjectiveKind::kVariational;
  if (needs.weight_norm || needs.weights_dot_gradient) return ObjectiveKind::kL2;
  return ObjectiveKind::kMaximumLikelihood;
}

std::vector<Variant> make_variants(RunSettings settings, const Curriculum& curriculum,
                                   int threads) {
  std::vector<Variant> variants;
  const auto add = [&](ObjectiveKind objective, const std::string& gain, const Needs& needs) {
    settings.learner.objective.kind = objective;
    variants.push_back({objective, gain, needs, make_learner(settings, curriculum, threads), {}});
  };
  for (const auto objective :
       {ObjectiveKind::kMaximumLikelihood, ObjectiveKind::kL2, ObjectiveKind::kVariational}) {
    add(objective, "none", {});
    for (const GainEntry& entry : gain_list()) {
      const Needs needs = make_gain(entry.name)->needs();
      const bool possible = needs.probe != Probe::kTargetTask || curriculum.target();
      if (objective_of(needs) == objective && possible) add(objective, entry.name, needs);
    }
  }
  return variants;
}

// `probes` has a probe for each divisor of a variant.
double time_update(Variant& variant, const Batch& batch, const std::map<int, Batch>& probes) {
  const Batch& probe = probes.at(variant.needs.probe_divisor);
  const auto start = std::chrono::steady_clock::now();
  variant.learner->train(batch, variant.needs.probe == Probe::kNone ? nullptr : &probe,
                         variant.needs);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Median over rounds of the time of `variant` divided by that of plain training in the same round,
// so that slow moments of the machine affect both.
double multiple(const Variant& variant, const Variant& plain) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < variant.seconds.size(); ++i) {
    ratios.push_back(variant.seconds[i] / plain.seconds[i]);
  }
  return median(std::move(ratios));
}

void measure(std::vector<Variant>& variants, const Curriculum& curriculum,
             const RunSettings& settings, int rounds) {
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  const int size = static_cast<int>(settings.batch);
  BatchSource batches(curriculum, Purpose::kTrainingBatch, Split::kTraining, size, seed);
  std::map<int, BatchSource> probes;
  for (const Variant& variant : variants) {
    const int divisor = variant.needs.probe_divisor;
    probes.try_emplace(divisor, curriculum, Purpose::kProbeBatch, Split::kTraining,
                       std::max(1, size / divisor), seed);
  }
  const int tasks = static_cast<int>(curriculum.tasks().size());
  // Probe the trained task itself, so that both batches have similar lengths. Round 0 is warm-up.
  for (int round = 0; round <= rounds && !interrupted(); ++round) {
    const int task = static_cast<int>((2 * round + 1) * tasks / (2 * rounds + 2));
    const Batch batch = batches.next(task);
    std::map<int, Batch> probe;
    for (auto& [divisor, source] : probes) probe.emplace(divisor, source.next(task));
    for (Variant& variant : variants) {
      const double seconds = time_update(variant, batch, probe);
      if (round > 0) variant.seconds.push_back(seconds);
    }
  }
  if (interrupted()) throw Interrupted();
}

void bench(const BenchOptions& options) {
  const RunSettings settings = make_settings("", options.overrides);
  const std::unique_ptr<Curriculum> curriculum =
      make_curriculum(settings.curriculum, settings.curricula);
  std::vector<Variant> variants = make_variants(settings, *curriculum, options.threads);
  catch_interrupts("the current round of updates");
  measure(variants, *curriculum, settings, options.rounds);

  nlohmann::json json = nlohmann::json::array();
  std::vector<Row> rows = {{"objective", "gain", "ms/update", "times plain training"}};
  const Variant* plain = nullptr;
  for (const Variant& variant : variants) {
    if (variant.gain == "none") plain = &variant;
    const double milliseconds = 1e3 * median(variant.seconds);
    const double times = multiple(variant, *plain);
    const std::string objective = to_string(variant.objective);
    rows.push_back({objective, variant.gain, fmt::format("{:.2f}", milliseconds),
                    fmt::format("{:.3f}", times)});
    json.push_back({{"objective", objective},
                    {"gain", variant.gain},
                    {"simd", fast::simd_name()},
                    {"milliseconds", milliseconds},
                    {"multiple", times}});
  }
  if (options.json) return fmt::print("{}\n", json.dump(2));
  fmt::print("{}, {}\n{}", count_text(options.threads, "thread"), fast::simd_name(), aligned(rows));
}

}  // namespace

void add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand(
      "bench", "Measure the cost of an update under each gain, relative to plain training");
  command->add_option("settings", options->overrides,
                      "key=value settings of the network and curriculum (see gradus train --help)");
  command->add_option("--rounds", options->rounds, "timed updates per gain, interleaved")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "threads to use")->capture_default_str();
  add_json_flag(*command, options->json);
  command->callback([options] { bench(*options); });
}

}  // namespace gradus::cli
