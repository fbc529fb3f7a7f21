// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/plan.h"

#include <algorithm>
#include <map>
#include <memory>

#include "gradus/bandit/make_syllabus.h"
#include "gradus/core/error.h"
#include "gradus/nn/objective.h"
#include "gradus/runs/find_runs.h"
#include "gradus/runs/run_gain.h"
#include "gradus/runs/run_syllabus.h"
#include "gradus/runs/training.h"

namespace gradus {
namespace {

// Makes each curriculum once: that of n-grams takes seconds.
class Curricula {
 public:
  explicit Curricula(std::vector<std::string>& warnings) : warnings_(warnings) {}

  const Curriculum& operator()(RunSettings settings) {
    std::string key = settings.curriculum;
    for (const Setting& setting : settings_of(settings.curricula))
      key += "\n" + value_text(setting);
    std::unique_ptr<Curriculum>& made = made_[key];
    if (!made) {
      made = make_curriculum(settings.curriculum, settings.curricula,
                             [this](const std::string& note) { warnings_.push_back(note); });
    }
    return *made;
  }

 private:
  std::vector<std::string>& warnings_;
  std::map<std::string, std::unique_ptr<Curriculum>> made_;
};

DryRun::Run planned(const SweepRun& run, const std::filesystem::path& folder) {
  DryRun::Run planned{.name = run.name, .state = "waiting", .total = run.settings.steps};
  if (folder.empty() || !std::filesystem::exists(config_file(folder))) return planned;
  const FoundRun found = read_found(folder);
  planned.state = found.status();
  planned.steps = found.steps();
  return planned;
}

}  // namespace

std::vector<std::string> check_run(const RunSettings& settings, const Curriculum& curriculum) {
  std::vector<std::string> warnings;
  if (curriculum.tasks().size() == 1) {
    warnings.push_back("there is only one task, \"" + curriculum.tasks().front() +
                       "\": the syllabus has nothing to choose from");
  }
  if (!is_baseline(settings.gain)) {
    const auto gain = make_run_gain(settings, curriculum);
    const auto warning =
        check_measurable(settings.gain, gain->needs(), settings.learner.objective.kind);
    if (warning) warnings.push_back(*warning);
  }
  if (settings.stop.target_loss > 0 && !curriculum.target()) {
    throw InputError("stop.target_loss is " + to_text(settings.stop.target_loss) +
                     ", but curriculum " + settings.curriculum + " has no target task");
  }
  return warnings;
}

std::int64_t DryRun::steps_left() const {
  std::int64_t left = 0;
  for (const Run& run : runs) {
    if (run.state != "finished") left += std::max<std::int64_t>(run.total - run.steps, 0);
  }
  return left;
}

DryRun dry_run(const std::vector<SweepRun>& runs, const std::filesystem::path& folder) {
  DryRun made;
  Curricula curricula(made.warnings);
  for (const SweepRun& run : runs) {
    const Curriculum& curriculum = curricula(checked(run.settings));
    for (const std::string& warning : check_run(run.settings, curriculum)) {
      if (std::ranges::find(made.warnings, warning) == made.warnings.end()) {
        made.warnings.push_back(warning);
      }
    }
    make_syllabus(curriculum.tasks(), syllabus_settings(run.settings, curriculum));
    made.runs.push_back(planned(run, folder.empty() ? folder : folder / run.name));
    made.runs.back().tasks = curriculum.tasks().size();
  }
  return made;
}

}  // namespace gradus
