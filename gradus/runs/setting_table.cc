// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/error.h"
#include "gradus/nn/device.h"
#include "gradus/runs/run_syllabus.h"
#include "gradus/runs/runner.h"
#include "gradus/runs/settings.h"

namespace gradus {
namespace {

template <typename Entry>
std::vector<std::string> names_of(const std::vector<Entry>& entries,
                                  std::vector<std::string> names = {}) {
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

std::string gain_help() {
  std::string help =
      "the signal that is rewarded (gradus list gains). With policy=corral it may be several, such "
      "as \"hsg:pg\". Or a baseline: ";
  for (const Baseline& baseline : baselines()) {
    if (help.back() == ')') help += ", ";
    help += "\"" + baseline.name + "\" (" + baseline.summary + ")";
  }
  return help;
}

void check_gain(const std::string& gain) {
  const std::vector<std::string> signals = signals_of(gain);
  std::vector<std::string> known = names_of(gain_list());
  if (signals.size() == 1) known = names_of(gain_list(), names_of(baselines()));
  for (const std::string& signal : signals) find_known("gain", signal, known);
}

// Names that are looked up elsewhere, and what a run is in any case.
std::vector<Setting> settings_of_run(RunSettings& s) {
  return {
      {.key = "curriculum",
       .help = "the tasks to learn (gradus list curricula)",
       .value = &s.curriculum,
       .choices = names_of(curriculum_list())},
      {.key = "gain",
       .help = gain_help(),
       .value = &s.gain,
       .choices = names_of(gain_list(), names_of(baselines())),
       .check_string = check_gain},
      {.key = "policy",
       .help = "how tasks are drawn (gradus list policies)",
       .value = &s.policy,
       .choices = names_of(policy_list())},
      {.key = "objective",
       .help = "what training minimises: \"ml\" maximum likelihood, \"l2\" with weight decay, "
               "\"vi\" variational inference",
       .value = EnumValue(&s.learner.objective.kind),
       .choices = objective_names()},
      {"seed", "random seed of the run", &s.seed, {0, kLargestCount}},
      {.key = "steps",
       .help = "input steps to train for",
       .value = &s.steps,
       .range = {1, kLargestCount},
       .changes_training = false},
      {"batch", "sequences per batch, all of one task", &s.batch, {1, 65536}},
      {.key = "device",
       .help = "device to train on: \"cpu\"; \"cuda\", the GPU with the most room; \"cuda:0,2\", "
               "one of these GPUs",
       .value = &s.device,
       .choices = device_names(),
       .check_string = [](const std::string& name) { parse_device(name); }},
      {.key = "precision",
       .help = "cuda: precision of matrix-product operands, \"fp16\" or \"fp32\"; sums are always "
               "fp32",
       .value = EnumValue(&s.precision),
       .choices = precision_names()},
      {.key = "store",
       .help = "how run.db is written: \"local\" in place; \"shared\" as a whole, for disks that "
               "several hosts use; \"auto\" decides by the file system",
       .value = &s.store,
       .choices = {"auto", "local", "shared"},
       .changes_training = false},
  };
}

std::vector<Setting> settings_of_syllabus(RunSettings& s) {
  std::vector<Setting> all = settings_of(s.syllabus);
  append(all, settings_of(s.reward_scale));
  all.push_back({.key = "bad_reward",
                 .help = "if progress is not a finite number: \"stop\" the run, or \"skip\" and "
                         "count the reward",
                 .value = &s.bad_reward,
                 .choices = {"stop", "skip"}});
  all.push_back({.key = "log",
                 .help = "write every reward to rewards.csv in the run's folder, for gradus "
                         "replay; baselines have none",
                 .value = &s.log_rewards,
                 .changes_training = false});
  return with_prefix("syllabus.", std::move(all));
}

std::vector<Setting> settings_of_evaluation(RunSettings& s) {
  std::vector<Setting> all = {
      {"evaluation.interval",
       "input steps between evaluations",
       &s.evaluation_interval,
       {1, kLargestCount}},
      {"evaluation.sequences", "held-out sequences per task", &s.evaluation_sequences, {1, 1e9}},
      {"evaluation.all_tasks", "evaluate every task, not only the target", &s.evaluation_all_tasks},
      {"evaluation.all_tasks_interval",
       "input steps between evaluations of every task; 0 means at every evaluation",
       &s.evaluation_all_tasks_interval,
       {0, kLargestCount}},
  };
  for (Setting& setting : all) setting.changes_training = false;
  return all;
}

Setting checkpoint_setting(RunSettings& s) {
  return {.key = "checkpoint.seconds",
          .help =
              "seconds between checkpoints: the most work that a crash can lose; 0 saves after "
              "every batch. Does not change the results",
          .value = &s.checkpoint_seconds,
          .range = {0, 1e9},
          .changes_training = false};
}

}  // namespace

std::vector<Setting> settings_of(RunSettings& s) {
  std::vector<Setting> all = settings_of_run(s);
  append(all, settings_of(s.gains));
  append(all, settings_of_syllabus(s));
  append(all, settings_of(s.network));
  append(all, settings_of(s.learner));
  append(all, settings_of_evaluation(s));
  append(all, settings_of(s.stop));
  all.push_back(checkpoint_setting(s));
  append(all, settings_of(s.curricula));
  return all;
}

}  // namespace gradus
