// SPDX-License-Identifier: Apache-2.0
// Total throughput in input steps per second of N networks that train on one GPU, each with its own
// syllabus:
//
//   gpu_networks [--networks N] [--seconds S] [key=value ...]
//
// Settings are those of gradus train; device is "cuda:0". Network n uses the configured seed plus
// n.

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gradus/core/error.h"
#include "gradus/nn/device.h"
#include "gradus/runs/runner.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  int networks = 1;
  double seconds = 5;
  gradus::RunSettings settings;
};

Options read_options(int count, char** arguments) {
  Options options;
  options.settings.device = "cuda:0";
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--networks" && i + 1 < count) {
      options.networks = std::stoi(arguments[++i]);
    } else if (argument == "--seconds" && i + 1 < count) {
      options.seconds = std::stod(arguments[++i]);
    } else {
      gradus::apply_override(argument, gradus::settings_of(options.settings));
    }
  }
  return options;
}

// Trains until `stop` is set. Counts the updates that begin after `counting` is set.
void train(gradus::Runner& runner, const std::atomic<bool>& counting, const std::atomic<bool>& stop,
           std::int64_t& steps, std::int64_t& updates) {
  while (!stop) {
    const bool counts = counting;
    const std::int64_t before = runner.steps();
    runner.teach();
    if (!counts) continue;
    steps += runner.steps() - before;
    ++updates;
  }
}

double measure(const Options& options, double* updates_per_second) {
  gradus::GpuPool gpus;
  std::vector<std::unique_ptr<gradus::Runner>> runners;
  for (int n = 0; n < options.networks; ++n) {
    gradus::RunSettings settings = options.settings;
    settings.seed += n;
    runners.push_back(std::make_unique<gradus::Runner>(settings, 1, 0, &gpus));
  }
  std::atomic<bool> counting = false, stop = false;
  std::vector<std::int64_t> steps(runners.size()), updates(runners.size());
  std::vector<std::exception_ptr> errors(runners.size());
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < runners.size(); ++n) {
    threads.emplace_back([&, n] {
      try {
        train(*runners[n], counting, stop, steps[n], updates[n]);
      } catch (...) {
        errors[n] = std::current_exception();
      }
    });
  }
  // Warm up until memory has grown to its final size and clock rates have risen.
  std::this_thread::sleep_for(std::chrono::duration<double>(1 + options.seconds / 5));
  counting = true;
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(options.seconds));
  stop = true;
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  for (std::thread& thread : threads) thread.join();
  double all_steps = 0, all_updates = 0;
  for (std::size_t n = 0; n < runners.size(); ++n) {
    if (errors[n]) std::rethrow_exception(errors[n]);
    all_steps += static_cast<double>(steps[n]);
    all_updates += static_cast<double>(updates[n]);
  }
  *updates_per_second = all_updates / seconds;
  return all_steps / seconds;
}

}  // namespace

int main(int count, char** arguments) {
  // As gradus sweep does, before CUDA and threads start (cli/run_sweep.cc).
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  try {
    const Options options = read_options(count, arguments);
    const gradus::RunSettings& s = options.settings;
    const std::map<std::string, std::string> texts = gradus::setting_texts(s);
    double updates = 0;
    const double steps = measure(options, &updates);
    std::cout << s.curriculum << ", " << s.network.layers << " x " << s.network.cells << ", batch "
              << s.batch << ", " << texts.at("objective") << ", gain " << s.gain << ", "
              << texts.at("precision") << ", " << options.networks << " networks: " << steps / 1e6
              << " million steps/s, " << 1e6 * options.networks / updates << " us per update\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "gpu_networks: " << error.what() << '\n';
    return 1;
  }
}
