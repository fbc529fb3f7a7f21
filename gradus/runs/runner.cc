// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/runner.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/nn/cpu/learner.h"
#include "gradus/nn/device.h"
#include "gradus/nn/torch_names.h"
#include "gradus/runs/plan.h"
#include "gradus/runs/run_gain.h"
#include "gradus/runs/run_syllabus.h"

namespace gradus {
namespace {

// Prepare batches ahead only if the learner leaves a core idle; docs/batches.md has measurements.
int batches_ahead(int threads, int cores) {
  if (cores == 0) cores = static_cast<int>(std::thread::hardware_concurrency());
  return cores > threads ? kDefaultPrefetch : 0;
}

// The first of due, due + interval, due + 2 interval, ... that is above `steps`.
std::int64_t next_due(std::int64_t due, std::int64_t interval, std::int64_t steps) {
  return due > steps ? due : due + ((steps - due) / interval + 1) * interval;
}

// Checkpoints of earlier versions store only since when all evaluations have been below the goal.
nlohmann::json stop_state(const nlohmann::json& counts) {
  if (counts.contains("stop")) return counts.at("stop");
  nlohmann::json state = nlohmann::json::array();
  if (!read_field(counts, "below_since").is_null()) {
    state.push_back({read_count(counts, "below_since"), true});
  }
  return state;
}

}  // namespace

std::unique_ptr<Learner> make_learner(const RunSettings& settings, const Curriculum& curriculum,
                                      int threads, GpuPool* gpus) {
  const NetworkSpec spec{curriculum.data(), settings.network.layers, settings.network.cells};
  LearnerSettings learner = settings.learner;
  learner.threads = threads;
  if (learner.objective.total_sequences == 0) {
    learner.objective.total_sequences = curriculum.total_sequences();
  }
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  if (!parse_device(settings.device).is_cuda) {
    return std::make_unique<CpuLearner<float>>(spec, learner, seed);
  }
  GpuPool own;
  learner.place = (gpus ? *gpus : own).take(settings.device);
  return make_cuda_learner(spec, learner, settings.precision, seed);
}

Evaluation evaluate_held_out(const Curriculum& curriculum, int task, std::int64_t sequences,
                             std::uint64_t seed, std::uint64_t first,
                             const std::function<Evaluation(const Batch&)>& evaluate) {
  Evaluation total;
  std::uint64_t index = first;
  for (std::int64_t left = sequences; left > 0; left -= kHeldOutBatch) {
    Random random(seed, Purpose::kHeldOutBatch, index++, static_cast<std::uint32_t>(task));
    const auto count = static_cast<int>(std::min(left, kHeldOutBatch));
    total += evaluate(curriculum.sample(task, count, Split::kHeldOut, random));
  }
  return total;
}

Runner::Runner(const RunSettings& settings, int threads, int cores, GpuPool* gpus)
    : settings_(settings), stop_(settings.stop) {
  checked(settings);
  curriculum_ = make_curriculum(settings.curriculum, settings.curricula,
                                [this](const std::string& note) { warnings_.push_back(note); });
  std::ranges::copy(check_run(settings, *curriculum_), std::back_inserter(warnings_));
  gain_ = make_run_gain(settings, *curriculum_);
  start_syllabus();
  learner_ = make_learner(settings, *curriculum_, threads, gpus);
  settings_.device = parse_device(settings.device).kind();
  teacher_ = std::make_unique<Teacher>(
      *syllabus_, *curriculum_, *learner_, gain_.get(), static_cast<int>(settings.batch),
      static_cast<std::uint64_t>(settings.seed), batches_ahead(threads, cores));
}

Runner::~Runner() = default;

void Runner::start_syllabus() {
  const SyllabusSettings settings = syllabus_settings(settings_, *curriculum_);
  syllabus_ = std::make_unique<Syllabus>(make_syllabus(curriculum_->tasks(), settings));
  if (settings_.gain == kFrontierBaseline) frontier_.emplace(*curriculum_, *syllabus_);
  if (!settings.rounds) return;
  eta_note_ =
      fmt::format("syllabus.eta is {:.3g}, chosen automatically for {} tasks and about {} batches",
                  syllabus_->policy().settings().at("eta").get<double>(),
                  curriculum_->tasks().size(), *settings.rounds);
}

Lesson Runner::teach() {
  last_gradient_norm_.reset();
  Lesson lesson = teacher_->teach();
  steps_ += lesson.input_steps;
  ++rounds_;
  const double loss = lesson.measured.loss_before * static_cast<double>(settings_.batch);
  loss_sum_ += loss;
  loss_outputs_ += lesson.outputs;
  if (frontier_) frontier_->see(lesson.task, loss / static_cast<double>(lesson.outputs));
  if (!lesson.refusal.empty()) {
    if (settings_.bad_reward == "stop") {
      throw std::runtime_error("after " + std::to_string(steps_) + " steps: " + lesson.refusal +
                               "; set syllabus.bad_reward=skip to skip such rewards");
    }
    ++refused_;
  } else if (gain_) {
    raw_reward_sum_ += lesson.reward.raw;
    reward_sum_ += lesson.reward.scaled;
    ++rewards_;
  }
  return lesson;
}

bool Runner::all_tasks_due() const {
  if (!settings_.evaluation_all_tasks && curriculum_->target()) return false;
  return steps_ >= next_all_tasks_ || finished();
}

double Runner::training_loss() const {
  return loss_outputs_ > 0 ? loss_sum_ / static_cast<double>(loss_outputs_) : Metrics::kNone;
}

Metrics Runner::evaluate() {
  const Vitals vitals = learner_->vitals();
  const double gradient_norm = last_gradient_norm_.value_or(vitals.gradient_norm);
  if (steps_ >= settings_.steps) {
    before_end_ = save_counts();
    before_end_["gradient_norm"] = save_number(gradient_norm);
  }
  Metrics metrics;
  metrics.steps = steps_;
  metrics.rounds = rounds_;
  metrics.refused = refused_;
  task_metrics_ = {steps_, syllabus_->probabilities(), {}, {}};
  metrics.entropy = entropy(task_metrics_.policy);
  metrics.training_loss = training_loss();
  if (rewards_ > 0) {
    metrics.raw_reward = raw_reward_sum_ / static_cast<double>(rewards_);
    metrics.reward = reward_sum_ / static_cast<double>(rewards_);
  }
  const RewardScale::Range range = syllabus_->scale().range();
  metrics.reward_low = range.low;
  metrics.reward_high = range.high;
  loss_sum_ = raw_reward_sum_ = reward_sum_ = 0;
  loss_outputs_ = rewards_ = 0;
  metrics.gradient_norm = gradient_norm;
  metrics.weight_norm = vitals.weight_norm;
  metrics.complexity = vitals.complexity;

  evaluate_tasks(metrics);
  keep_if_best(metrics);
  ++evaluations_;
  next_evaluation_ = next_due(next_evaluation_, settings_.evaluation_interval, steps_);
  evaluated_last_ = finished();
  return metrics;
}

void Runner::keep_if_best(const Metrics& metrics) {
  const double loss = curriculum_->target() ? metrics.target_loss : metrics.mean_loss;
  if (!(loss < best_loss_)) return;
  best_loss_ = loss;
  std::vector<Tensor> tensors = learner_->save().tensors;
  tensors.resize(network_size(tensors));
  best_ = std::make_shared<NetworkAt>(NetworkAt{steps_, std::move(tensors)});
}

// Evaluate the target first: its loss may end the run, and all tasks are evaluated at the end.
void Runner::evaluate_tasks(Metrics& metrics) {
  const std::size_t tasks = curriculum_->tasks().size();
  if (!curriculum_->target() && !all_tasks_due()) return;
  task_metrics_.loss.assign(tasks, Metrics::kNone);
  task_metrics_.error.assign(tasks, Metrics::kNone);
  if (curriculum_->target()) evaluate_target(metrics);
  if (!all_tasks_due()) return;

  for (int task = 0; task < static_cast<int>(tasks); ++task) {
    if (task != curriculum_->target()) evaluate_into_task_metrics(task);
  }
  set_means(task_metrics_.loss, task_metrics_.error, metrics);
  const std::int64_t interval = settings_.evaluation_all_tasks_interval > 0
                                    ? settings_.evaluation_all_tasks_interval
                                    : settings_.evaluation_interval;
  next_all_tasks_ = next_due(next_all_tasks_, interval, steps_);
}

void Runner::evaluate_target(Metrics& metrics) {
  const int target = *curriculum_->target();
  evaluate_into_task_metrics(target);
  metrics.target_loss = task_metrics_.loss[target];
  metrics.target_error = task_metrics_.error[target];
  stop_.see(steps_, metrics.target_loss);
}

void Runner::evaluate_into_task_metrics(int task) {
  const Evaluation evaluation = evaluate_task(task, evaluations_);
  task_metrics_.loss[task] = evaluation.loss_per_output();
  if (curriculum_->unit(task).empty()) task_metrics_.error[task] = evaluation.error();
}

Checkpoint Runner::save() const {
  nlohmann::json state = save_counts();
  state.update({{"steps", steps_},
                {"rounds", rounds_},
                {"refused", refused_},
                {"evaluated_last", evaluated_last_},
                {"before_end", before_end_},
                {"best_loss", save_number(best_loss_)},
                {"syllabus", syllabus_->save()},
                {"teacher", teacher_->save()}});
  if (frontier_) state["frontier"] = frontier_->save();
  return {
      steps_, learner_->save(), std::move(state), curriculum_->data(), curriculum_->vocabulary(),
      best_};
}

void Runner::restore(const Checkpoint& checkpoint) {
  const nlohmann::json& state = checkpoint.state;
  steps_ = static_cast<std::int64_t>(read_count(state, "steps"));
  rounds_ = static_cast<std::int64_t>(read_count(state, "rounds"));
  refused_ = static_cast<std::int64_t>(read_count(state, "refused"));
  evaluated_last_ = state.contains("evaluated_last") && read_flag(state, "evaluated_last");
  // Checkpoints of earlier versions have none: the next evaluation is then the best so far.
  best_loss_ = state.contains("best_loss") ? read_number(state, "best_loss")
                                           : std::numeric_limits<double>::infinity();
  best_.reset();
  before_end_ = state.value("before_end", nlohmann::json());
  restore_counts(state);
  syllabus_->restore(read_field(state, "syllabus"));
  if (frontier_) frontier_->restore(read_field(state, "frontier"));
  teacher_->restore(read_field(state, "teacher"));
  learner_->restore(checkpoint.learner);
  if (!evaluated_last_ || finished()) return;
  if (before_end_.is_null()) {
    throw InputError("the run ended under an earlier version of Gradus, so it cannot train longer");
  }
  restore_counts(before_end_);
  last_gradient_norm_ = read_number(before_end_, "gradient_norm");
  evaluated_last_ = false;
  before_end_ = nullptr;
}

// What an evaluation changes.
nlohmann::json Runner::save_counts() const {
  return {{"evaluations", evaluations_},
          {"stop", stop_.save()},
          {"next_evaluation", next_evaluation_},
          {"next_all_tasks", next_all_tasks_},
          {"loss_sum", save_number(loss_sum_)},
          {"loss_outputs", loss_outputs_},
          {"raw_reward_sum", save_number(raw_reward_sum_)},
          {"reward_sum", save_number(reward_sum_)},
          {"rewards", rewards_}};
}

void Runner::restore_counts(const nlohmann::json& counts) {
  const auto count = [&](const char* key) {
    return static_cast<std::int64_t>(read_count(counts, key));
  };
  evaluations_ = count("evaluations");
  stop_.restore(stop_state(counts));
  next_evaluation_ = count("next_evaluation");
  next_all_tasks_ = count("next_all_tasks");
  loss_sum_ = read_number(counts, "loss_sum");
  loss_outputs_ = count("loss_outputs");
  raw_reward_sum_ = read_number(counts, "raw_reward_sum");
  reward_sum_ = read_number(counts, "reward_sum");
  rewards_ = count("rewards");
}

std::vector<std::string> Runner::units() const {
  std::vector<std::string> units;
  for (std::size_t task = 0; task < curriculum_->tasks().size(); ++task) {
    units.emplace_back(curriculum_->unit(static_cast<int>(task)));
  }
  return units;
}

Evaluation Runner::evaluate_task(int task, std::int64_t evaluation) const {
  const std::int64_t batches = (settings_.evaluation_sequences + kHeldOutBatch - 1) / kHeldOutBatch;
  const auto first = static_cast<std::uint64_t>(evaluation) * static_cast<std::uint64_t>(batches);
  return evaluate_held_out(*curriculum_, task, settings_.evaluation_sequences,
                           static_cast<std::uint64_t>(settings_.seed), first,
                           [this](const Batch& batch) { return learner_->evaluate(batch); });
}

}  // namespace gradus
