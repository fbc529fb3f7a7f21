// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_gain.h"

#include <algorithm>

#include "gradus/core/error.h"
#include "gradus/runs/run_syllabus.h"

namespace gradus {
namespace {

// The smallest loss of each task: as given, or else as the curriculum knows it.
std::map<std::string, double> floors_of(const std::vector<double>& given,
                                        const Curriculum& curriculum) {
  const std::vector<std::string>& tasks = curriculum.tasks();
  if (given.size() > 1 && given.size() != tasks.size()) {
    throw InputError("excess.floor has " + std::to_string(given.size()) +
                     " numbers, expected one, or one for each of " + std::to_string(tasks.size()) +
                     " tasks");
  }
  std::map<std::string, double> floors;
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    std::optional<double> floor = curriculum.floor(static_cast<int>(task));
    if (!given.empty()) floor = given.size() == 1 ? given[0] : given[task];
    if (!floor) {
      throw InputError("gain xl needs the smallest loss of every task, which curriculum " +
                       std::string(curriculum.name()) + " does not know for \"" + tasks[task] +
                       "\"; set excess.floor");
    }
    floors[tasks[task]] = *floor;
  }
  return floors;
}

void check_answers(const std::string& gain, const Curriculum& curriculum) {
  for (std::size_t task = 0; task < curriculum.tasks().size(); ++task) {
    if (curriculum.unit(static_cast<int>(task)).empty()) continue;
    throw InputError("gain " + gain + " needs answers that are right or wrong, but task \"" +
                     curriculum.tasks()[task] + "\" is a text");
  }
}

void check_signals(const Gain& gain, const RunSettings& settings, const Curriculum& curriculum) {
  if (gain.signals() == 1) return;
  const std::string name = "gain " + settings.gain + " has " + std::to_string(gain.signals());
  if (settings.policy != "corral") {
    throw InputError(name + " signals, but policy " + settings.policy +
                     " learns from one; policy corral chooses among several");
  }
  const auto policy = make_policy(static_cast<int>(curriculum.tasks().size()),
                                  syllabus_settings(settings, curriculum));
  if (policy->signals() != gain.signals()) {
    throw InputError(name + " signals and syllabus.bases " + std::to_string(policy->signals()) +
                     " policies, expected one for each signal, or one for all");
  }
  if (settings.log_rewards) {
    throw InputError(name + " signals, but a log of rewards holds one; set syllabus.log to false");
  }
}

}  // namespace

std::unique_ptr<Gain> make_run_gain(const RunSettings& settings, const Curriculum& curriculum) {
  if (is_baseline(settings.gain)) return nullptr;
  GainSettings gains = settings.gains;
  if (std::ranges::count(signals_of(settings.gain), "xl") > 0)
    gains.floors = floors_of(gains.floor, curriculum);
  auto gain = make_gain(settings.gain, gains);
  check_signals(*gain, settings, curriculum);
  if (gain->needs().answers_right) check_answers(settings.gain, curriculum);
  return gain;
}

}  // namespace gradus
