// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/training.h"

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/core/version.h"
#include "gradus/files/file.h"
#include "gradus/runs/data_fingerprint.h"
#include "gradus/runs/explosion.h"
#include "gradus/runs/resumable.h"
#include "gradus/runs/run_reader.h"
#include "gradus/runs/run_syllabus.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

void write_config(const fs::path& folder, const RunSettings& settings) {
  write_durably(config_file(folder),
                "# All settings of this run, including defaults, as run by Gradus " +
                    std::string(version()) + ".\n" + config_text(settings));
  sync_folder(folder);
}

std::unique_ptr<RunLock> lock_run(const fs::path& folder, const TrainingOptions& options) {
  if (!fs::exists(config_file(folder)) && fs::exists(database_file(folder))) {
    throw InputError(folder.string() +
                     ": another program recorded this run; only that program can continue it");
  }
  existing_config(folder);  // before the lock creates a file
  return std::make_unique<RunLock>(folder, options.dead_claim, options.lease);
}

void check_new(const fs::path& folder) {
  if (fs::exists(config_file(folder))) {
    throw InputError(folder.string() + ": already contains a run; gradus resume continues it");
  }
  check_free(folder);
}

void check_longer(const Runner& runner) {
  if (!runner.finished()) return;
  throw InputError("the run ended after " + std::to_string(runner.steps()) +
                   " steps because the target's loss stayed below stop.target_loss; more steps do "
                   "not change that");
}

std::unique_ptr<Runner> make_runner(const RunSettings& settings, const TrainingOptions& options) {
  return std::make_unique<Runner>(settings, options.threads, options.cores, options.gpus.get());
}

// Throws InputError if the data have changed: the run would mix results on old and new data.
void check_data(const fs::path& folder, const Curriculum& curriculum) {
  const std::string changes = data_changes(folder, curriculum);
  if (changes.empty()) return;
  throw InputError(folder.string() + ": the data are not those that the run started with (" +
                   changes + "); restore them, or start over with: gradus resume " +
                   folder.string() + " --restart");
}

}  // namespace

fs::path free_run_folder(const RunSettings& settings) {
  const std::string name =
      "runs/" + settings.curriculum + "-" + settings.gain + "-" + std::to_string(settings.seed);
  std::string folder = name;
  for (int i = 2; fs::exists(folder); ++i) folder = name + "." + std::to_string(i);
  return folder;
}

std::unique_ptr<Training> Training::start(const RunSettings& settings, const fs::path& folder,
                                          const TrainingOptions& options) {
  check_new(folder);
  // Check the settings before creating anything.
  auto runner = make_runner(settings, options);
  make_run_folder(folder);
  auto lock = std::make_unique<RunLock>(folder, options.dead_claim, options.lease);
  // Another process may have started the run meanwhile, and even finished it.
  check_new(folder);
  write_config(folder, runner->settings());
  std::unique_ptr<Training> training(
      new Training(folder, std::move(lock), std::move(runner), options));
  training->begin();
  return training;
}

std::unique_ptr<Training> Training::resume(const fs::path& folder, const TrainingOptions& options,
                                           const std::vector<std::string>& changes) {
  auto lock = lock_run(folder, options);
  const RunSettings stored = stored_settings(folder);
  std::vector<std::string> damage;
  const auto checkpoint =
      Checkpoints(checkpoints_folder(folder)).load([&](const std::string& message) {
        damage.push_back(message);
      });
  const RunSettings settings = changed_settings(stored, changes, checkpoint);
  check_resumable(folder, settings, checkpoint, damage);
  auto runner = make_runner(settings, options);
  check_data(folder, runner->curriculum());
  if (checkpoint) runner->restore(*checkpoint);
  if (settings.steps != stored.steps) check_longer(*runner);
  if (!changes.empty()) write_config(folder, runner->settings());
  std::unique_ptr<Training> training(
      new Training(folder, std::move(lock), std::move(runner), options));
  for (const std::string& message : damage) training->note("damage", message);
  if (settings.syllabus.eta != stored.syllabus.eta) {
    training->note("warning", "syllabus.eta stays " + to_text(*settings.syllabus.eta) +
                                  ", as chosen for " + std::to_string(stored.steps) + " steps");
  }
  if (!checkpoint) training->note("warning", "there is no checkpoint yet: starting at step 0");
  training->go_back_to(checkpoint);
  return training;
}

std::unique_ptr<Training> Training::restart(const fs::path& folder, const TrainingOptions& options,
                                            const std::vector<std::string>& changes) {
  auto lock = lock_run(folder, options);
  const RunSettings settings = changed_settings(stored_settings(folder), changes, {});
  auto runner = make_runner(settings, options);
  const std::string removed = remove_progress(folder);
  if (!removed.empty()) options.note("starting over: removed " + removed);
  write_config(folder, runner->settings());
  std::unique_ptr<Training> training(
      new Training(folder, std::move(lock), std::move(runner), options));
  training->begin();
  return training;
}

Training::Training(const fs::path& folder, std::unique_ptr<RunLock> lock,
                   std::unique_ptr<Runner> runner, const TrainingOptions& options)
    : folder_(folder),
      lock_(std::move(lock)),
      runner_(std::move(runner)),
      store_(folder, runner_->settings().store),
      checkpoints_(checkpoints_folder(folder)),
      options_(options) {
  store_.check_before_publishing([this] { lock_->check(); });
  const Curriculum& curriculum = runner_->curriculum();
  store_.describe(setting_texts(runner_->settings()), curriculum.tasks(), curriculum.target(),
                  runner_->units(), curriculum.description(), data_fingerprint(curriculum));
  store_.set_settings(setting_texts(runner_->settings()));
  store_.set_status("running");
  for (const std::string& warning : runner_->warnings()) note("warning", warning);
}

void Training::begin() {
  open_reward_log();
  const std::string& eta = runner_->eta_note();
  store_.add_event(0, "started",
                   "Gradus " + std::string(version()) + (eta.empty() ? "" : "; " + eta));
  store_.sync();
}

void Training::go_back_to(const std::optional<Checkpoint>& checkpoint) {
  if (checkpoint) {
    saved_steps_ = checkpoint->steps;
    clock_ = RunClock(read_number(checkpoint->state, "seconds"), runner_->steps());
  }
  open_reward_log();
  // Without a checkpoint, this discards even the evaluation at step 0.
  checkpoints_.tidy(saved_steps_);
  store_.discard_after(runner_->took_back_the_end() ? saved_steps_ - 1 : saved_steps_);
  store_.sync();
  const RunRecord latest = read_latest(folder_);
  if (!latest.metrics.empty()) metrics_ = latest.metrics.back();
  finished_ = runner_->finished() && !runner_->evaluation_due();
  if (finished_) {
    store_.set_status("finished");
  } else {
    store_.add_event(runner_->steps(), "resumed", "Gradus " + std::string(version()));
  }
  store_.sync();
}

void Training::open_reward_log() {
  const RunSettings& settings = runner_->settings();
  if (!settings.log_rewards || is_baseline(settings.gain)) return;
  reward_log_.emplace(folder_, runner_->syllabus().rounds());
}

void Training::note(const std::string& kind, const std::string& message) {
  options_.note(message);
  store_.add_event(runner_->steps(), kind, message);
}

bool Training::advance() {
  if (runner_->evaluation_due()) {
    evaluate();
    if (runner_->finished()) finish();
    return true;
  }
  const auto waited = std::chrono::duration<double>(Clock::now() - last_save_).count();
  if (waited >= runner_->settings().checkpoint_seconds) save();
  teach();
  return false;
}

void Training::teach() {
  const Lesson lesson = runner_->teach();
  if (reward_log_ && lesson.refusal.empty()) {
    reward_log_->add({lesson.task, lesson.progress, lesson.cost});
  }
}

void Training::evaluate() {
  metrics_ = runner_->evaluate();
  lock_->check();
  store_.add(metrics_, runner_->task_metrics(), clock_.mark(metrics_.steps));
  warn_if_exploded();
  store_.show();
}

// Warns only once: the loss seldom recovers.
void Training::warn_if_exploded() {
  if (exploded_) return;
  const std::string warning = explosion(metrics_, runner_->curriculum().data().output);
  if (warning.empty()) return;
  exploded_ = true;
  note("warning", warning);
}

void Training::save() {
  lock_->check();
  // Sync these first: a checkpoint relies on the metrics and rewards before it.
  store_.sync();
  if (reward_log_) reward_log_->sync();
  Checkpoint checkpoint = runner_->save();
  checkpoint.state["seconds"] = clock_.seconds();
  checkpoints_.save(checkpoint);
  saved_steps_ = checkpoint.steps;
  store_.set_saved(saved_steps_);
  last_save_ = Clock::now();
}

void Training::finish() {
  save();
  store_.set_status("finished");
  store_.add_event(runner_->steps(), "finished", repeats_text());
  store_.sync();
  finished_ = true;
}

void Training::stop() {
  // Evaluate now: the gradient norm is not checkpointed.
  if (runner_->evaluation_due()) advance();
  if (finished_) return;
  save();
  store_.set_status("stopped");
  store_.add_event(runner_->steps(), "stopped", repeats_text());
  store_.sync();
}

std::string Training::repeats_text() const {
  const std::int64_t repeats = runner_->repeated_updates();
  if (repeats == 0) return "";
  return "half precision overflowed in " + std::to_string(repeats) +
         " updates, which were repeated";
}

bool Training::taken() const noexcept {
  try {
    lock_->check();
    return false;
  } catch (const RunTaken&) {
    return true;
  } catch (const std::exception&) {
    return false;  // not known
  }
}

void Training::fail(const std::string& reason) noexcept {
  try {
    lock_->check();
    store_.set_status("failed");
    store_.add_event(runner_->steps(), "failed", reason);
    store_.sync();
  } catch (const std::exception&) {
    // The status cannot be stored, for example because the disk is full, or another host took the
    // run over. The run is otherwise intact.
  }
}

}  // namespace gradus
