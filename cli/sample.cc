// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/use_network.h"
#include "gradus/core/error.h"
#include "gradus/core/random.h"

namespace gradus::cli {
namespace {

constexpr double kHottest = 1000;

struct SampleOptions {
  NetworkArguments network;
  std::string prompt;
  double temperature = 1;
  std::int64_t length = 500;
  std::uint64_t seed = 1;
};

// Draws a token with probability proportional to exp(logit / temperature).
int draw(std::span<const float> logits, double temperature, Random& random) {
  const int likeliest = most_likely(logits);
  if (temperature == 0) return likeliest;
  std::vector<double> shares(logits.size());
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    shares[i] = std::exp((static_cast<double>(logits[i]) - logits[likeliest]) / temperature);
    sum += shares[i];
  }
  double left = random.uniform() * sum;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    left -= shares[i];
    if (left < 0) return static_cast<int>(i);
  }
  return likeliest;
}

// A sequence of which the network reads one token at a time.
Batch one_step() {
  Batch batch;
  batch.sequences = batch.steps = 1;
  batch.lengths = {1};
  batch.tokens = {kNoToken};
  batch.scored = {0};
  batch.targets = {0};
  return batch;
}

void check_text(const TrainedRun& run) {
  const auto& units = run.record().units;
  if (std::ranges::any_of(units, [](const std::string& unit) { return !unit.empty(); })) return;
  throw InputError(
      "no task of the run is a text, so there is nothing to continue; use gradus answer to ask "
      "questions");
}

void sample(const SampleOptions& options) {
  if (!(options.temperature >= 0 && options.temperature <= kHottest)) {
    throw InputError(
        fmt::format("--temperature is {}, expected 0 to {}", options.temperature, kHottest));
  }
  TrainedRun run = load_trained(options.network);
  const auto reader = run.make_reader();
  check_text(run);
  std::int64_t unknown = 0;
  const std::vector<std::int32_t> prompt = reader->read_prompt(options.prompt, unknown);
  tell_unknown(unknown);

  Network& network = run.network();
  Random random(options.seed, Purpose::kSample, 0);
  Batch batch = one_step();
  network.start(1);
  // Step 0 reads nothing, as in training.
  std::span<const float> logits = network.step(batch, 0);
  for (const std::int32_t token : prompt) {
    batch.tokens[0] = token;
    logits = network.step(batch, 0);
  }
  std::string separator(prompt.empty() ? "" : reader->separator());
  write_now(options.prompt);
  for (std::int64_t i = 0; i < options.length; ++i) {
    batch.tokens[0] = draw(logits, options.temperature, random);
    write_now(separator + run.saved().vocabulary[batch.tokens[0]]);
    separator = reader->separator();
    logits = network.step(batch, 0);
  }
  if (::isatty(STDOUT_FILENO) == 1) write_now("\n");
}

}  // namespace

void add_sample(CLI::App& app) {
  auto options = std::make_shared<SampleOptions>();
  CLI::App* command = app.add_subcommand("sample", "Write text with a trained network");
  add_network_arguments(*command, options->network);
  command->add_option("--prompt", options->prompt, "text to continue")->type_name("TEXT");
  command
      ->add_option("--temperature", options->temperature,
                   "divides the logits: below 1 likelier symbols, 0 always the most likely one")
      ->type_name("X")
      ->capture_default_str();
  command->add_option("--length", options->length, "characters or words to write")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}))
      ->capture_default_str();
  add_seed_option(*command, options->seed, "random seed");
  command->footer("For runs in which a task is a text. The prompt is written too.");
  command->callback([options] { sample(*options); });
}

}  // namespace gradus::cli
