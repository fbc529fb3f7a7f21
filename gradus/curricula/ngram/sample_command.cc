// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/sample_command.h"

#include <cstdio>
#include <ostream>

#include "gradus/core/error.h"
#include "gradus/curricula/ngram/models.h"

namespace gradus {
namespace {

constexpr std::int64_t kDefaultCount = 500;

struct Options {
  int order = -1;
  std::int64_t count = -1;
  std::string score;
};

void print_score(const NgramModels& models, int order, const Options& options, std::ostream& out) {
  if (options.count >= 0) {
    throw InputError(
        "--count is given and so is --score, which prints no characters; expected "
        "only one of them");
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.6f\n", models.bits_per_character(order, options.score));
  out << text;
}

}  // namespace

SampleCommand sample_command(const NgramSettings& settings, const Note& note) {
  const auto options = std::make_shared<Options>();
  const auto run = [options, &settings, note](std::uint64_t seed, std::ostream& out) {
    const NgramModels models(settings, note);
    const int order = options->order < 0 ? settings.max_order : options->order;
    if (!options->score.empty()) return print_score(models, order, *options, out);
    const int checked_order = models.model(order).order();
    Random random(seed, Purpose::kSample, 0, static_cast<std::uint32_t>(checked_order));
    models.sample(checked_order, options->count < 0 ? kDefaultCount : options->count, random, out);
  };
  return {{{"order", "order of the model; default: the highest", &options->order, {0, 1e6}},
           {"count",
            "number of characters to print; default: " + std::to_string(kDefaultCount),
            &options->count,
            {1, 1e8}},
           {.key = "score",
            .help = "instead, print the bits per character of this UTF-8 file under the model",
            .value = &options->score,
            .is_path = true}},
          run};
}

}  // namespace gradus
