#include "gradus/core/teacher.h"

#include <optional>

#include "gradus/core/error.h"

namespace gradus {

Teacher::Teacher(Syllabus& syllabus, const Curriculum& curriculum, Learner& learner,
                 const Gain* gain, int batch_size, std::uint64_t seed)
    : syllabus_(syllabus),
      curriculum_(curriculum),
      learner_(learner),
      gain_(gain),
      seed_(seed),
      training_(curriculum, Purpose::kTrainingBatch, Split::kTraining, batch_size, seed),
      probes_(curriculum, Purpose::kProbeBatch, Split::kTraining, batch_size, seed) {
  if (gain && gain->needs().probe == Probe::kTargetTask && !curriculum.target()) {
    throw InputError("gain " + std::string(gain->name()) +
                     " measures progress on the target task; " + "curriculum " +
                     std::string(curriculum.name()) + " has none");
  }
}

Lesson Teacher::teach() {
  const Ticket ticket = syllabus_.draw();
  const Batch x = training_.next(ticket.task);
  const Needs needs = gain_ ? gain_->needs() : Needs{};
  std::optional<Batch> probe;
  if (needs.probe != Probe::kNone) probe = draw_probe(needs.probe, ticket.task);

  Lesson lesson;
  lesson.task = ticket.task;
  lesson.input_steps = x.input_steps();
  lesson.outputs = x.outputs();
  lesson.measured = learner_.train(x, probe ? &*probe : nullptr, needs);
  ++rounds_;
  if (!gain_) {
    syllabus_.drop(ticket);
    return lesson;
  }
  lesson.progress = gain_->progress(lesson.measured);
  try {
    lesson.reward = syllabus_.reward(ticket, lesson.progress, x.cost());
  } catch (const InputError& error) {
    lesson.refusal = error.what();
    syllabus_.drop(ticket);
  }
  return lesson;
}

Batch Teacher::draw_probe(Probe probe, int task) {
  if (probe == Probe::kTargetTask) task = *curriculum_.target();
  if (probe == Probe::kRandomTask) {
    Random random(seed_, Purpose::kProbeTask, rounds_);
    task = static_cast<int>(random.below(static_cast<std::uint32_t>(curriculum_.tasks().size())));
  }
  return probes_.next(task);
}

}  // namespace gradus
