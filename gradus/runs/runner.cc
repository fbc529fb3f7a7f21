#include "gradus/runs/runner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/curricula/ngram/ngram.h"
#include "gradus/gains/gains.h"
#include "gradus/nn/cpu/learner.h"
#include "gradus/nn/device.h"
#include "gradus/runs/planned_rounds.h"

namespace gradus {
namespace {

bool is_baseline(const std::string& gain) {
  return gain == "uniform" || gain == "target";
}

// Prepare batches ahead only if the learner leaves a core idle; docs/batches.md has measurements.
int batches_ahead(int threads, int cores) {
  if (cores == 0) cores = static_cast<int>(std::thread::hardware_concurrency());
  return cores > threads ? kDefaultPrefetch : 0;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

const std::vector<CurriculumEntry>& curriculum_list() {
  static const std::vector<CurriculumEntry> list = {
      {"repeat-copy", "repeat_copy", "write a sequence of bit vectors a given number of times"},
      {"babi", "babi", "answer questions about short stories: the twenty bAbI tasks"},
      {"ngram", "ngram", "predict text written by character models of order 0 to 10"},
      {"files",
       "files",
       "your own texts and input-target pairs, one task per file",
       // These train in a minute or two on two cores.
       {"network.cells=128", "optimiser.learning_rate=1e-3", "steps=6_000_000",
        "evaluation.interval=150_000", "evaluation.all_tasks=true"}},
  };
  return list;
}

std::unique_ptr<Curriculum> make_curriculum(const RunSettings& settings,
                                            std::function<void(const std::string&)> note) {
  if (settings.curriculum == "repeat-copy") {
    return std::make_unique<RepeatCopy>(settings.repeat_copy);
  }
  if (settings.curriculum == "babi") return std::make_unique<Babi>(settings.babi);
  if (settings.curriculum == "ngram") {
    return std::make_unique<Ngram>(settings.ngram, std::move(note));
  }
  if (settings.curriculum == "files") return std::make_unique<Files>(settings.files);
  std::vector<std::string> names;
  for (const CurriculumEntry& entry : curriculum_list()) names.push_back(entry.name);
  throw_unknown("curriculum", settings.curriculum, names);
}

std::unique_ptr<Learner> make_learner(const RunSettings& settings, const Curriculum& curriculum,
                                      int threads, std::shared_ptr<std::atomic<int>> gpu_networks) {
  const NetworkSpec spec{curriculum.data(), static_cast<int>(settings.layers),
                         static_cast<int>(settings.cells)};
  LearnerSettings learner;
  learner.initial = settings.initial;
  learner.derivative_limit = settings.derivative_limit;
  learner.optimiser = settings.optimiser;
  learner.threads = threads;
  learner.gpu_networks = std::move(gpu_networks);
  learner.objective.kind = parse_objective(settings.objective);
  learner.objective.decay = settings.l2_decay;
  learner.objective.prior = parse_prior(settings.vi_prior);
  learner.objective.posterior_width = settings.vi_posterior_width;
  learner.objective.prior_width = settings.vi_prior_width;
  learner.objective.total_sequences =
      settings.vi_sequences > 0 ? settings.vi_sequences : curriculum.total_sequences();
  learner.objective.evaluate_at_sample = settings.vi_evaluate == "sample";
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  const Precision precision = parse_precision(settings.precision);
  if (settings.device == "cuda") return make_cuda_learner(spec, learner, precision, seed);
  return std::make_unique<CpuLearner<float>>(spec, learner, seed);
}

Runner::Runner(const RunSettings& settings, int threads, int cores,
               std::shared_ptr<std::atomic<int>> gpu_networks)
    : settings_(settings) {
  check_choices(settings);
  curriculum_ =
      make_curriculum(settings, [this](const std::string& note) { warnings_.push_back(note); });
  if (curriculum_->tasks().size() == 1) {
    warnings_.push_back("there is only one task, \"" + curriculum_->tasks().front() +
                        "\": the syllabus has nothing to choose from");
  }
  if (!is_baseline(settings.gain)) {
    gain_ = make_gain(settings.gain, parse_sign(settings.sign));
    const auto warning =
        check_measurable(settings.gain, gain_->needs(), parse_objective(settings.objective));
    if (warning) warnings_.push_back(*warning);
  }
  if (settings.stop_target_loss > 0 && !curriculum_->target()) {
    throw InputError("stop.target_loss is " + to_text(settings.stop_target_loss) +
                     ", but curriculum " + settings.curriculum + " has no target task");
  }
  make_syllabus();
  learner_ = make_learner(settings, *curriculum_, threads, std::move(gpu_networks));
  teacher_ = std::make_unique<Teacher>(
      *syllabus_, *curriculum_, *learner_, gain_.get(), static_cast<int>(settings.batch),
      static_cast<std::uint64_t>(settings.seed), batches_ahead(threads, cores));
}

Runner::~Runner() = default;

std::unique_ptr<Policy> Runner::make_run_policy() {
  const int tasks = static_cast<int>(curriculum_->tasks().size());
  if (settings_.gain == "uniform") return make_uniform(tasks);
  if (settings_.gain == "target") {
    if (!curriculum_->target()) {
      throw InputError("gain \"target\" trains on the target task, but curriculum " +
                       settings_.curriculum + " has none");
    }
    std::vector<double> probabilities(tasks, 0.0);
    probabilities[*curriculum_->target()] = 1;
    return make_fixed(std::move(probabilities));
  }
  if (settings_.syllabus.eta || !policy_reads(settings_.policy, "eta")) {
    return make_policy(settings_.policy, tasks, settings_.syllabus);
  }
  const std::uint64_t rounds = planned_rounds(*curriculum_, settings_.steps, settings_.batch);
  const PolicySettings planned = for_rounds(settings_.syllabus, tasks, rounds);
  eta_note_ =
      fmt::format("syllabus.eta is {:.3g}, chosen automatically for {} tasks and about {} batches",
                  *planned.eta, tasks, rounds);
  return make_policy(settings_.policy, tasks, planned);
}

void Runner::make_syllabus() {
  const auto seed = static_cast<std::uint64_t>(settings_.seed);
  syllabus_ = std::make_unique<Syllabus>(curriculum_->tasks(), make_run_policy(),
                                         make_quantile_scale(settings_.reward_scale, seed), seed);
}

void Runner::teach() {
  const Lesson lesson = teacher_->teach();
  steps_ += lesson.input_steps;
  ++rounds_;
  loss_sum_ += lesson.measured.loss_before * static_cast<double>(settings_.batch);
  loss_outputs_ += lesson.outputs;
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
}

bool Runner::all_tasks_due() const {
  if (!settings_.evaluation_all_tasks && curriculum_->target()) return false;
  return steps_ >= next_all_tasks_ || finished();
}

Metrics Runner::evaluate() {
  Metrics metrics;
  metrics.steps = steps_;
  metrics.rounds = rounds_;
  metrics.refused = refused_;
  task_metrics_ = {steps_, syllabus_->policy().probabilities(), {}, {}};
  metrics.entropy = entropy(task_metrics_.policy);
  if (loss_outputs_ > 0) metrics.training_loss = loss_sum_ / static_cast<double>(loss_outputs_);
  if (rewards_ > 0) {
    metrics.raw_reward = raw_reward_sum_ / static_cast<double>(rewards_);
    metrics.reward = reward_sum_ / static_cast<double>(rewards_);
  }
  const RewardScale::Range range = syllabus_->scale().range();
  metrics.reward_low = range.low;
  metrics.reward_high = range.high;
  loss_sum_ = raw_reward_sum_ = reward_sum_ = 0;
  loss_outputs_ = rewards_ = 0;
  const Vitals vitals = learner_->vitals();
  metrics.gradient_norm = vitals.gradient_norm;
  metrics.weight_norm = vitals.weight_norm;
  metrics.complexity = vitals.complexity;

  evaluate_tasks(metrics);
  ++evaluations_;
  while (next_evaluation_ <= steps_) next_evaluation_ += settings_.evaluation_interval;
  evaluated_last_ = finished();
  return metrics;
}

bool Runner::solved() const {
  return below_since_ && steps_ - *below_since_ >= settings_.stop_after;
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
  metrics.mean_loss = mean(task_metrics_.loss);
  std::vector<double> answered = task_metrics_.error;
  std::erase_if(answered, [](double value) { return std::isnan(value); });
  if (!answered.empty()) {  // texts have no answers
    metrics.mean_error = mean(answered);
    metrics.tasks_completed = tasks_completed(answered);
  }
  const std::int64_t interval = settings_.evaluation_all_tasks_interval > 0
                                    ? settings_.evaluation_all_tasks_interval
                                    : settings_.evaluation_interval;
  while (next_all_tasks_ <= steps_) next_all_tasks_ += interval;
}

void Runner::evaluate_target(Metrics& metrics) {
  const int target = *curriculum_->target();
  evaluate_into_task_metrics(target);
  metrics.target_loss = task_metrics_.loss[target];
  metrics.target_error = task_metrics_.error[target];
  if (!(metrics.target_loss < settings_.stop_target_loss)) {
    below_since_.reset();
  } else if (!below_since_) {
    below_since_ = steps_;
  }
}

void Runner::evaluate_into_task_metrics(int task) {
  const Evaluation evaluation = evaluate_task(task, evaluations_);
  task_metrics_.loss[task] = evaluation.loss_per_output();
  if (curriculum_->unit(task).empty()) task_metrics_.error[task] = evaluation.error();
}

Checkpoint Runner::save() const {
  return {steps_,
          learner_->save(),
          {{"steps", steps_},
           {"rounds", rounds_},
           {"refused", refused_},
           {"evaluations", evaluations_},
           {"below_since", below_since_ ? nlohmann::json(*below_since_) : nlohmann::json()},
           {"next_evaluation", next_evaluation_},
           {"next_all_tasks", next_all_tasks_},
           {"evaluated_last", evaluated_last_},
           {"loss_sum", save_number(loss_sum_)},
           {"loss_outputs", loss_outputs_},
           {"raw_reward_sum", save_number(raw_reward_sum_)},
           {"reward_sum", save_number(reward_sum_)},
           {"rewards", rewards_},
           {"syllabus", syllabus_->save()},
           {"teacher", teacher_->save()}}};
}

void Runner::restore(const Checkpoint& checkpoint) {
  const nlohmann::json& state = checkpoint.state;
  const auto count = [&](const char* key) {
    return static_cast<std::int64_t>(read_count(state, key));
  };
  steps_ = count("steps");
  rounds_ = count("rounds");
  refused_ = count("refused");
  evaluations_ = count("evaluations");
  below_since_.reset();
  if (!read_field(state, "below_since").is_null()) below_since_ = count("below_since");
  next_evaluation_ = count("next_evaluation");
  next_all_tasks_ = count("next_all_tasks");
  evaluated_last_ = state.value("evaluated_last", false);
  loss_sum_ = read_number(state, "loss_sum");
  loss_outputs_ = count("loss_outputs");
  raw_reward_sum_ = read_number(state, "raw_reward_sum");
  reward_sum_ = read_number(state, "reward_sum");
  rewards_ = count("rewards");
  syllabus_->restore(state.at("syllabus"));
  teacher_->restore(state.at("teacher"));
  learner_->restore(checkpoint.learner);
}

std::vector<std::string> Runner::units() const {
  std::vector<std::string> units;
  for (std::size_t task = 0; task < curriculum_->tasks().size(); ++task) {
    units.emplace_back(curriculum_->unit(static_cast<int>(task)));
  }
  return units;
}

Evaluation Runner::evaluate_task(int task, std::int64_t evaluation) const {
  Evaluation total;
  constexpr std::int64_t kChunk = 64;
  const std::int64_t chunks = (settings_.evaluation_sequences + kChunk - 1) / kChunk;
  auto index = static_cast<std::uint64_t>(evaluation * chunks);
  for (std::int64_t left = settings_.evaluation_sequences; left > 0; left -= kChunk) {
    Random random(static_cast<std::uint64_t>(settings_.seed), Purpose::kHeldOutBatch, index++,
                  static_cast<std::uint32_t>(task));
    total += learner_->evaluate(curriculum_->sample(task, static_cast<int>(std::min(left, kChunk)),
                                                    Split::kHeldOut, random));
  }
  return total;
}

}  // namespace gradus
