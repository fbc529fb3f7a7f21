#include "cli/data_ngram.h"

#include <cmath>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "gradus/curricula/ngram/models.h"

namespace gradus::cli {
namespace {

struct NgramOptions {
  int order = -1;  // negative: the highest
  std::int64_t count = 500;
  std::uint64_t seed = 1;
  std::string score;
  std::vector<std::string> overrides;
};

NgramModels make_models(const CurriculumEntry& entry, RunSettings& settings,
                        const std::vector<std::string>& overrides) {
  for (const std::string& assignment : overrides) apply_override(assignment, settings, entry.table);
  return NgramModels(settings.ngram, [](const std::string& note) {
    fmt::print(stderr, "gradus: warning: {}\n", note);
  });
}

// Ends the line only on a terminal; a file gets exactly the characters.
void print_sample(const NgramModels& models, int order, const NgramOptions& options) {
  Random random(options.seed, Purpose::kSample, 0, static_cast<std::uint32_t>(order));
  models.sample(order, options.count, random, std::cout);
  if (::isatty(STDOUT_FILENO) == 1) std::cout << '\n';
  if (!std::cout.flush()) throw std::runtime_error("cannot write to standard output");
}

void run(const CurriculumEntry& entry, const NgramOptions& options) {
  RunSettings settings;
  const NgramModels models = make_models(entry, settings, options.overrides);
  const int order = options.order < 0 ? settings.ngram.max_order : options.order;
  if (options.score.empty()) {
    print_sample(models, models.model(order).order(), options);
  } else {
    fmt::print("{:.6f}\n", models.bits_per_character(order, options.score));
  }
}

}  // namespace

void add_data_ngram(CLI::App& data, const CurriculumEntry& entry) {
  auto options = std::make_shared<NgramOptions>();
  CLI::App* command = data.add_subcommand(entry.name, entry.summary);
  command->add_option("--order", options->order, "order of the model; default: the highest")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  CLI::Option* count =
      command->add_option("--count", options->count, "number of characters to print")
          ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}))
          ->type_name("C")
          ->capture_default_str();
  command
      ->add_option("--score", options->score,
                   "instead, print the bits per character of this UTF-8 file under the model")
      ->type_name("FILE")
      ->excludes(count);
  command->add_option("--seed", options->seed, "random seed of the characters")
      ->check(valid_seed())
      ->capture_default_str();
  command->add_option(
      "settings", options->overrides,
      "key=value settings, such as corpus=FILE (see " + entry.table + ".* in gradus train --help)");
  command->callback([&entry, options] { run(entry, *options); });
}

}  // namespace gradus::cli
