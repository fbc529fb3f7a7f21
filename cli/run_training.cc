// SPDX-License-Identifier: Apache-2.0
#include "cli/run_training.h"

#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/next_step.h"
#include "cli/progress.h"
#include "gradus/runs/database.h"

namespace gradus::cli {
namespace {

void train_to_the_end(Training& training, bool quiet) {
  const Runner& runner = training.runner();
  Progress progress(runner, quiet);
  while (!training.finished() && !interrupted()) {
    training.advance();
    if (progress.due() || training.finished()) {
      progress.show(training.metrics());
    }
  }
}

// The run could not be stored, for example because the disk is full. It can be resumed.
[[noreturn]] void fail_to_store(Training& training, const std::exception& error) {
  training.fail(error.what());
  const std::string resumed =
      training.saved_steps() >= 0
          ? fmt::format("continues from the checkpoint at {} steps", training.saved_steps())
          : "starts it again, since there is no checkpoint yet";
  throw std::runtime_error(fmt::format("{}; the run stopped; \"gradus resume {}\" {}", error.what(),
                                       training.folder().string(), resumed));
}

}  // namespace

void add_training_flags(CLI::App& command, TrainingFlags& flags) {
  command.add_option("--threads", flags.threads, "threads per run; does not change the results")
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--quiet", flags.quiet, "do not show progress");
}

TrainingOptions training_options(const TrainingFlags& flags) {
  TrainingOptions options;
  options.threads = flags.threads;
  // On a terminal a warning replaces the line of progress, which is then shown below.
  const bool terminal = isatty(STDERR_FILENO) != 0;
  options.note = [terminal](const std::string& warning) {
    fmt::print(stderr, "{}gradus: warning: {}{}\n", terminal ? "\r" : "", warning,
               terminal ? "\x1b[K" : "");
  };
  return options;
}

void run_training(Training& training, bool quiet) {
  catch_interrupts("the current batch or evaluation, and for a checkpoint");
  try {
    train_to_the_end(training, quiet);
    if (!training.finished()) training.stop();
  } catch (const std::system_error& error) {
    fail_to_store(training, error);
  } catch (const DatabaseError& error) {
    fail_to_store(training, error);
  } catch (const std::exception& error) {
    training.fail(error.what());
    throw;
  }
  if (training.finished()) {
    if (!quiet) fmt::print(stderr, "{}\n", next_step(training.folder().string()));
    return;
  }
  fmt::print(stderr, "gradus: interrupted after {} of {} steps; continue with: gradus resume {}\n",
             training.runner().steps(), training.runner().settings().steps,
             training.folder().string());
  throw Interrupted();
}

}  // namespace gradus::cli
