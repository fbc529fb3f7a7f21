// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_gain.h"

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

}  // namespace

std::unique_ptr<Gain> make_run_gain(const RunSettings& settings, const Curriculum& curriculum) {
  if (is_baseline(settings.gain)) return nullptr;
  GainSettings gains = settings.gains;
  if (settings.gain == "xl") gains.floors = floors_of(gains.floor, curriculum);
  auto gain = make_gain(settings.gain, gains);
  if (gain->needs().answers_right) check_answers(settings.gain, curriculum);
  return gain;
}

}  // namespace gradus
