// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/teacher.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"

namespace gradus {
namespace {

Needs needs_of(const Gain* gain) {
  return gain ? gain->needs() : Needs{};
}

Probe probe_of(const Gain* gain) {
  return needs_of(gain).probe;
}

}  // namespace

Teacher::Teacher(Syllabus& syllabus, const Curriculum& curriculum, Learner& learner, Gain* gain,
                 int batch_size, std::uint64_t seed, int prefetch)
    : syllabus_(syllabus),
      curriculum_(curriculum),
      learner_(learner),
      gain_(gain),
      seed_(seed),
      training_({curriculum, Purpose::kTrainingBatch, Split::kTraining, batch_size, seed},
                prefetch),
      probes_({curriculum, Purpose::kProbeBatch,
               probe_of(gain) == Probe::kHeldOut ? Split::kHeldOut : Split::kTraining,
               std::max(1, batch_size / needs_of(gain).probe_divisor), seed},
              probe_of(gain) == Probe::kNone ? 0 : prefetch) {
  if (probe_of(gain) == Probe::kTargetTask && !curriculum.target()) {
    throw InputError("gain " + std::string(gain->name()) +
                     " measures progress on the target task; " + "curriculum " +
                     std::string(curriculum.name()) + " has none");
  }
  if (gain && gain->signals() > 1 && gain->signals() != syllabus.policy().signals()) {
    throw InputError("gain " + std::string(gain->name()) + " has " +
                     std::to_string(gain->signals()) + " signals, but policy " +
                     std::string(syllabus.policy().name()) + " learns from " +
                     std::to_string(syllabus.policy().signals()) + ", expected as many");
  }
}

Lesson Teacher::teach() {
  announce_tasks(probe_of(gain_));
  const Ticket ticket = syllabus_.draw();
  const Batch x = training_.next(ticket.task);
  const Needs needs = needs_of(gain_);
  std::optional<Batch> probe;
  if (needs.probe != Probe::kNone) probe = draw_probe(needs.probe, ticket.task);

  Lesson lesson;
  lesson.task = ticket.task;
  lesson.input_steps = x.input_steps();
  lesson.outputs = x.outputs();
  lesson.cost = x.cost();
  lesson.measured = learner_.train(x, probe ? &*probe : nullptr, needs);
  lesson.measured.outputs = static_cast<double>(lesson.outputs) / x.sequences;
  ++rounds_;
  if (!gain_) {
    syllabus_.drop(ticket);
    return lesson;
  }
  const std::vector<double> progress =
      gain_->progress_by_signal(curriculum_.tasks()[ticket.task], lesson.measured);
  lesson.progress = progress.front();
  try {
    lesson.reward = syllabus_.reward(ticket, progress, lesson.cost);
  } catch (const InputError& error) {
    lesson.refusal = error.what();
    syllabus_.drop(ticket);
  }
  return lesson;
}

nlohmann::json Teacher::save() const {
  return {{"rounds", rounds_},
          {"training", training_.counts()},
          {"probes", probes_.counts()},
          {"gain", gain_ ? gain_->save() : nlohmann::json()}};
}

void Teacher::restore(const nlohmann::json& saved) {
  const std::size_t tasks = curriculum_.tasks().size();
  std::vector<std::uint64_t> training = read_counts(saved, "training", tasks);
  std::vector<std::uint64_t> probes = read_counts(saved, "probes", tasks);
  const std::uint64_t rounds = read_count(saved, "rounds");
  // Older versions saved no gain.
  if (gain_) gain_->restore(saved.value("gain", nlohmann::json()));
  rounds_ = rounds;
  training_.restore(std::move(training));
  probes_.restore(std::move(probes));
}

Batch Teacher::draw_probe(Probe probe, int task) {
  if (probe == Probe::kTargetTask) task = *curriculum_.target();
  if (probe == Probe::kRandomTask) {
    Random random(seed_, Purpose::kProbeTask, rounds_);
    task = static_cast<int>(random.below(static_cast<std::uint32_t>(curriculum_.tasks().size())));
  }
  return probes_.next(task);
}

// Tells the prefetching threads which tasks are likely next. Does nothing in most rounds, since it
// takes O(N).
void Teacher::announce_tasks(Probe probe) {
  const std::size_t tasks = curriculum_.tasks().size();
  if (!training_.runs_ahead() || rounds_ % std::max<std::size_t>(64, tasks / 64) != 0) return;
  std::vector<double> probabilities = syllabus_.probabilities();
  training_.expect(probabilities);
  if (probe == Probe::kRandomTask) probabilities.assign(tasks, 1.0);
  if (probe == Probe::kTargetTask) {
    probabilities.assign(tasks, 0.0);
    probabilities[*curriculum_.target()] = 1.0;
  }
  probes_.expect(std::move(probabilities));
}

}  // namespace gradus
