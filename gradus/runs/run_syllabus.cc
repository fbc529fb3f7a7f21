// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_syllabus.h"

#include <algorithm>
#include <cmath>

#include "gradus/core/error.h"

namespace gradus {
namespace {

// Enough to estimate the mean sequence length within a few percent, in milliseconds.
constexpr int kMostTasks = 256;
constexpr int kSequences = 1024;  // over all tasks

// Mean sequence length over up to kMostTasks tasks, evenly spaced in task order.
double mean_length(const Curriculum& curriculum) {
  const int tasks = static_cast<int>(curriculum.tasks().size());
  const int sampled = std::min(tasks, kMostTasks);
  const int each = kSequences / sampled;
  std::int64_t steps = 0;
  for (int i = 0; i < sampled; ++i) {
    const auto task = static_cast<int>(static_cast<std::int64_t>(i) * tasks / sampled);
    Random random(0, Purpose::kSequenceLength, 0, static_cast<std::uint32_t>(task));
    steps += curriculum.sample(task, each, Split::kTraining, random).input_steps();
  }
  return static_cast<double>(steps) / (static_cast<double>(sampled) * each);
}

std::vector<double> target_alone(const std::string& name, const Curriculum& curriculum) {
  if (!curriculum.target()) {
    throw InputError("gain \"target\" trains on the target task, but curriculum " + name +
                     " has none");
  }
  std::vector<double> probabilities(curriculum.tasks().size(), 0.0);
  probabilities[*curriculum.target()] = 1;
  return probabilities;
}

// With several signals, each rewards a base policy of its own: exp3s by default, or copies of the
// one base that is named.
std::string bases_for(const std::vector<std::string>& signals, const std::string& bases) {
  if (bases != PolicySettings{}.bases && bases.find(',') != std::string::npos) return bases;
  const std::string base = bases == PolicySettings{}.bases ? "exp3s" : bases;
  std::string repeated = base;
  for (std::size_t i = 1; i < signals.size(); ++i) repeated += "," + base;
  return repeated;
}

// The settings for the policy, without defaults of the curriculum that the policy does not read,
// such as the epsilon of "files" for exp3.
PolicySettings read_by_policy(RunSettings settings) {
  RunSettings of_curriculum = default_settings(settings.curriculum);
  PolicySettings of_program;
  const std::vector<Setting> given = settings_of(settings.syllabus);
  const std::vector<Setting> usual = settings_of(of_curriculum.syllabus);
  const std::vector<Setting> unread = settings_of(of_program);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (policy_reads(settings.policy, given[i].key, settings.syllabus.bases)) continue;
    if (to_json(given[i]) == to_json(usual[i])) set_json(given[i], to_json(unread[i]));
  }
  return settings.syllabus;
}

}  // namespace

std::uint64_t planned_rounds(const Curriculum& curriculum, std::int64_t steps, std::int64_t batch) {
  const double rounds =
      static_cast<double>(steps) / (static_cast<double>(batch) * mean_length(curriculum));
  return static_cast<std::uint64_t>(std::max(1.0, std::round(rounds)));
}

SyllabusSettings syllabus_settings(const RunSettings& settings, const Curriculum& curriculum) {
  SyllabusSettings made{.policy = settings.policy,
                        .policy_settings = read_by_policy(settings),
                        .reward_scale = settings.reward_scale,
                        .seed = static_cast<std::uint64_t>(settings.seed)};
  check_policy_settings(made.policy, made.policy_settings);
  if (settings.gain == kUniformBaseline || settings.gain == kFrontierBaseline) {
    made.policy = "uniform";
    made.policy_settings = {};
  } else if (settings.gain == kTargetBaseline) {
    made.policy = "fixed";
    made.policy_settings = {.probabilities = target_alone(settings.curriculum, curriculum)};
  } else {
    const std::vector<std::string> signals = signals_of(settings.gain);
    if (signals.size() > 1) {
      made.policy_settings.bases = bases_for(signals, settings.syllabus.bases);
    }
    if (takes_rounds(made)) {
      made.rounds = planned_rounds(curriculum, settings.steps, settings.batch);
    }
  }
  return made;
}

const std::vector<Baseline>& baselines() {
  static const std::vector<Baseline> list = {
      {kUniformBaseline, "all tasks are equally likely"},
      {kTargetBaseline, "only the target task"},
      {kFrontierBaseline, "hand-made: from easy to hard tasks as they are solved"},
  };
  return list;
}

bool is_baseline(const std::string& gain) {
  return std::ranges::count(baselines(), gain, &Baseline::name) > 0;
}

}  // namespace gradus
